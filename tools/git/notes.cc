#include "tools/git/notes.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"

namespace autotune {
namespace {

// One object of `git cat-file --batch`, "SHA blob SIZE\nBYTES\n", from `at` on.
absl::StatusOr<std::string> TakeBlob(const std::string& output,
                                     std::size_t& at) {
  const std::size_t end = output.find('\n', at);
  const std::string head =
      end == std::string::npos ? "" : output.substr(at, end - at);
  const std::vector<std::string> words = absl::StrSplit(head, ' ');
  std::size_t size = 0;
  if (words.size() != 3 || !absl::SimpleAtoi(words[2], &size) ||
      output.size() < end + 1 + size) {
    return absl::DataLossError(absl::StrCat(
        "git cat-file: expected a blob of a note, got \"", head, "\""));
  }
  at = end + 1 + size + 1;
  return output.substr(end + 1, size);
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> ReadNotes(
    const Repository& repository, const std::string& ref) {
  std::map<std::string, std::string> notes;
  ASSIGN_OR_RETURN(const auto there, repository.ResolveCommit(ref));
  if (!there.has_value()) return notes;
  ASSIGN_OR_RETURN(const std::string list,
                   repository.Git({"notes", "--ref", ref, "list"}));
  std::vector<std::string> commits;
  std::string blobs;
  for (absl::string_view line :
       absl::StrSplit(list, '\n', absl::SkipWhitespace())) {
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    absl::StrAppend(&blobs, entry.first, "\n");
    commits.push_back(entry.second);
  }
  ASSIGN_OR_RETURN(const std::string output,
                   repository.Git({"cat-file", "--batch"}, blobs));
  std::size_t at = 0;
  for (const std::string& commit : commits) {
    ASSIGN_OR_RETURN(notes[commit], TakeBlob(output, at));
  }
  return notes;
}

absl::Status WriteNote(const Repository& repository, const std::string& ref,
                       const std::string& commit, const std::string& text) {
  RETURN_IF_ERROR(repository.CheckIdentity());
  return repository
      .Git({"notes", "--ref", ref, "add", "-f", "-F", "-", commit}, text)
      .status();
}

}  // namespace autotune

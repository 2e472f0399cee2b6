#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"
#include "tools/git/branch_move.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;

std::string FileOf(const TestRepository& repo, const std::string& object) {
  return absl::StrCat(repo.top(), "/.git/objects/", object.substr(0, 2), "/",
                      object.substr(2));
}

TEST(LooseObjectFilesTest, ListsEveryNewObjectOfACommitThatIsInNoPack) {
  const TestRepository repo;
  const std::string from = repo.Git({"rev-parse", "HEAD"});
  const std::string to = repo.CommitOn(from, {{"docs/row", "1\n"}});
  std::vector<std::string> expected;
  for (const char* object : {"", "^{tree}", ":docs", ":docs/row"}) {
    expected.push_back(
        FileOf(repo, repo.Git({"rev-parse", absl::StrCat(to, object)})));
  }
  EXPECT_THAT(*LooseObjectFiles(repo.Open(), from, to),
              testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(*LooseObjectFiles(repo.Open(), to, to), IsEmpty());
  repo.Git({"branch", "kept", to});
  repo.Git({"repack", "-q", "-a", "-d"});
  EXPECT_THAT(*LooseObjectFiles(repo.Open(), from, to), IsEmpty());
  EXPECT_OK(SyncObjects(repo.Open(), from, to));
}

TEST(SyncObjectsTest, ObjectThatCannotBeReadIsAnError) {
  const TestRepository repo;
  const std::string from = repo.Git({"rev-parse", "HEAD"});
  EXPECT_FALSE(SyncObjects(repo.Open(), from, "nowhere").ok());
}

// What git itself says of its waits for the disk (trace2), command by command.
TEST(SyncObjectsTest, GitWaitsForEveryObjectAndRefThatWeWrite) {
  const TestRepository repo;
  const std::string trace = repo.Beside("trace");
  ASSERT_OK(repo.files().WriteFile(
      repo.Home() + "/.gitconfig",
      absl::StrCat("[trace2]\n\teventTarget = \"", trace,
                   "\"\n[core]\n\tfsync = none\n\tfsyncMethod = "
                   "writeout-only\n")));
  const Repository repository = repo.Open();
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const auto tree = WriteTree(repository, head, {{"docs/row", "new\n"}});
  ASSERT_OK(tree);
  const auto commit = CommitTree(repository, *tree, {head}, "row");
  ASSERT_OK(commit);
  ASSERT_OK(CreateRef(repository, "refs/heads/autotune/t", head));
  ASSERT_OK(MoveBranch(repository, "autotune/t", head, *commit));
  ASSERT_OK(MoveBranch(repository, "main", head, *commit));

  std::map<std::string, std::string> commands;  // by session
  std::set<std::string> synced;
  const std::string text = *repo.files().ReadFile(trace);
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    const std::size_t begin = line.find("\"sid\"");
    if (begin == std::string::npos) continue;
    const std::string session =
        line.substr(begin, line.find(",\"thread\"") - begin);
    if (absl::StrContains(line, "\"event\":\"start\"")) {
      commands[session] = line;
    } else if (absl::StrContains(line, "fsync/hardware-flush")) {
      for (const char* name : {"hash-object", "write-tree", "commit-tree",
                               "update-ref", "\"merge\""}) {
        if (absl::StrContains(commands[session], name)) synced.insert(name);
      }
    }
  }
  EXPECT_THAT(synced, IsSupersetOf({"hash-object", "write-tree", "commit-tree",
                                    "update-ref", "\"merge\""}));
}

}  // namespace
}  // namespace autotune

#include "comparator/results/program_names.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

using Paths = std::set<std::string>;

// The last `parts` components of a path ("b/bench" of "/a/b/bench" for 2).
std::string_view Tail(std::string_view path, std::size_t parts) {
  std::size_t start = path.size();
  for (std::size_t i = 0; i < parts && start != std::string_view::npos; ++i) {
    if (start == 0) return path;
    start = path.find_last_of("/\\", start - 1);
  }
  if (start == std::string_view::npos) return path;
  return path.substr(start + 1);
}

Paths Tails(const Paths& paths, std::size_t parts) {
  Paths tails;
  for (const std::string& path : paths) tails.emplace(Tail(path, parts));
  return tails;
}

// The fewest components that keep every path of both sides apart from the
// others of its side.
std::size_t PartsNeeded(const Paths& baseline, const Paths& contender) {
  std::size_t longest = 1;
  for (const Paths* paths : {&baseline, &contender}) {
    for (const std::string& path : *paths) {
      longest =
          std::max(longest, static_cast<std::size_t>(std::count_if(
                                path.begin(), path.end(),
                                [](char c) { return c == '/' || c == '\\'; })) +
                                1);
    }
  }
  std::size_t parts = 1;
  while (parts < longest &&
         (Tails(baseline, parts).size() < baseline.size() ||
          Tails(contender, parts).size() < contender.size())) {
    ++parts;
  }
  return parts;
}

Paths Executables(std::span<const ResultFile> files) {
  Paths paths;
  for (const ResultFile& file : files) {
    if (!file.context.executable.empty()) {
      paths.insert(file.context.executable);
    }
  }
  return paths;
}

// Adds the names that `files` hold from more than one program.
void AddSharedNames(std::span<const ResultFile> files,
                    std::unordered_set<std::string_view>& shared) {
  std::unordered_map<std::string_view, std::string_view> first;
  for (const ResultFile& file : files) {
    const std::string_view program = file.context.executable;
    const auto add = [&](std::string_view name) {
      if (first.emplace(name, program).first->second != program) {
        shared.insert(name);
      }
    };
    for (const Measurement& row : file.measurements) add(row.name);
    for (const Aggregate& aggregate : file.aggregates) add(aggregate.row.name);
    for (const UnusableRow& row : file.unusable) add(row.name);
  }
}

}  // namespace

ProgramNames::ProgramNames(std::span<const ResultFile> baseline,
                           std::span<const ResultFile> contender) {
  const Paths baseline_paths = Executables(baseline);
  const Paths contender_paths = Executables(contender);
  if (baseline_paths.size() < 2 && contender_paths.size() < 2) return;
  AddSharedNames(baseline, shared_);
  AddSharedNames(contender, shared_);
  if (shared_.empty()) return;
  std::size_t parts = PartsNeeded(baseline_paths, contender_paths);
  if (Tails(baseline_paths, parts) != Tails(contender_paths, parts)) {
    // The sides call their programs differently: the file name has to do.
    parts = 1;
    if (Tails(baseline_paths, 1).size() < 2 &&
        Tails(contender_paths, 1).size() < 2) {
      shared_.clear();
      warnings_.push_back(absl::StrCat(
          "different programs of one name count as visits of one: ",
          absl::StrJoin(
              baseline_paths.size() > 1 ? baseline_paths : contender_paths,
              ", ")));
      return;
    }
  }
  for (const std::span<const ResultFile> files : {baseline, contender}) {
    for (const ResultFile& file : files) {
      program_of_[file.context.executable] =
          std::string(Tail(file.context.executable, parts));
    }
  }
}

std::string ProgramNames::Prefix(std::string_view executable,
                                 std::string_view benchmark) const {
  if (!shared_.contains(benchmark)) return "";
  const auto program = program_of_.find(executable);
  if (program == program_of_.end() || program->second.empty()) return "";
  return program->second + ": ";
}

}  // namespace autotune

#include "tools/git/scope.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

using testing::IsEmpty;

TEST(PathPatternTest, StarsStayInsideAFolder) {
  EXPECT_TRUE(MatchesPathPattern("src/*.cc", "src/a.cc"));
  EXPECT_TRUE(MatchesPathPattern("src/*.cc", "src/.cc"));
  EXPECT_FALSE(MatchesPathPattern("src/*.cc", "src/x/a.cc"));
  EXPECT_FALSE(MatchesPathPattern("*", "src/a.cc"));
  EXPECT_TRUE(MatchesPathPattern("s?c/a.cc", "src/a.cc"));
  EXPECT_FALSE(MatchesPathPattern("src?a.cc", "src/a.cc"));
  EXPECT_TRUE(MatchesPathPattern("a*b*c", "aXbbXc"));
  EXPECT_FALSE(MatchesPathPattern("a*b*c", "aXbbX"));
}

TEST(PathPatternTest, TwoStarsCrossFolders) {
  for (const char* path : {"src/a", "src/x/y/a", "src/\n"}) {
    EXPECT_TRUE(MatchesPathPattern("src/**", path)) << path;
    EXPECT_TRUE(MatchesPathPattern("src/", path)) << path;
    EXPECT_TRUE(MatchesPathPattern("**", path)) << path;
  }
  EXPECT_FALSE(MatchesPathPattern("src/**", "src"));
  EXPECT_FALSE(MatchesPathPattern("src/**", "src2/a"));
  EXPECT_TRUE(MatchesPathPattern("**/CMakeLists.txt", "CMakeLists.txt"));
  EXPECT_TRUE(MatchesPathPattern("**/CMakeLists.txt", "a/b/CMakeLists.txt"));
  EXPECT_FALSE(MatchesPathPattern("**/CMakeLists.txt", "a/xCMakeLists.txt"));
  EXPECT_TRUE(MatchesPathPattern("a/**/b", "a/b"));
  EXPECT_TRUE(MatchesPathPattern("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(MatchesPathPattern("a/**/b", "a/x/y/c"));
}

TEST(PathPatternTest, EverythingElseStandsForItself) {
  EXPECT_TRUE(MatchesPathPattern(".gitmodules", ".gitmodules"));
  EXPECT_FALSE(MatchesPathPattern(".gitmodules", "x/.gitmodules"));
  EXPECT_FALSE(MatchesPathPattern("src/a.cc", "src/a.cc2"));
  EXPECT_FALSE(MatchesPathPattern("src/a.cc", "SRC/a.cc"));
  EXPECT_TRUE(MatchesPathPattern("./src/[a].cc", "src/[a].cc"));
  EXPECT_FALSE(MatchesPathPattern("src/[a].cc", "src/a.cc"));
  EXPECT_FALSE(MatchesPathPattern("", "a"));
  EXPECT_FALSE(MatchesPathPattern("**", ""));
}

// Straight from the definition, trying every split: exponential, so small n.
bool Slow(const std::vector<std::string>& pattern, std::size_t p,
          const std::vector<std::string>& path, std::size_t i);
bool SlowPart(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return SlowPart(pattern.substr(1), text) ||
           (!text.empty() && SlowPart(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         SlowPart(pattern.substr(1), text.substr(1));
}
bool Slow(const std::vector<std::string>& pattern, std::size_t p,
          const std::vector<std::string>& path, std::size_t i) {
  if (p == pattern.size()) return i == path.size();
  if (pattern[p] == "**") {
    const bool last = p + 1 == pattern.size();
    if (last) return i < path.size();
    return Slow(pattern, p + 1, path, i) ||
           (i < path.size() && Slow(pattern, p, path, i + 1));
  }
  return i < path.size() && SlowPart(pattern[p], path[i]) &&
         Slow(pattern, p + 1, path, i + 1);
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : "/") + part;
  return text;
}

TEST(PathPatternTest, AgreesWithTheDefinitionOnRandomPatterns) {
  std::mt19937 random(7);
  const std::vector<std::string> pattern_parts = {"**", "*",  "a",  "b",
                                                  "a*", "?b", "*a*"};
  const std::vector<std::string> path_parts = {"a", "b", "ab", "aab", "ba"};
  int matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> pattern, path;
    for (auto n = 1 + random() % 5; n > 0; --n) {
      pattern.push_back(pattern_parts[random() % pattern_parts.size()]);
    }
    for (auto n = 1 + random() % 5; n > 0; --n) {
      path.push_back(path_parts[random() % path_parts.size()]);
    }
    const bool expected = Slow(pattern, 0, path, 0);
    matches += expected;
    ASSERT_EQ(MatchesPathPattern(Joined(pattern), Joined(path)), expected)
        << Joined(pattern) << " on " << Joined(path);
  }
  EXPECT_GT(matches, 1000);
}

TEST(PathPatternTest, HostilePatternsTakeLittleTime) {
  std::string pattern, path;
  for (int i = 0; i < 200; ++i) pattern += "**/a*a*a*/";
  for (int i = 0; i < 200; ++i) path += std::string(200, 'a') + "/";
  EXPECT_FALSE(MatchesPathPattern(pattern + "b", path + "c"));
}

Scope TestScope() {
  return {{"src/**", "include/**", "**"},
          {"bench/**", "tests/**", "**/CMakeLists.txt", "cmake/**"},
          "docs/autotune/2026-02-03-t/faster"};
}

TreeChange Change(const std::string& path, char status = 'M',
                  const std::string& old_mode = "100644",
                  const std::string& new_mode = "100644") {
  return {path, status, old_mode, new_mode, "", ""};
}

std::string ReasonFor(const Scope& scope, const TreeChange& change) {
  const auto violations = FindScopeViolations(scope, {change});
  if (violations.empty()) return "";
  EXPECT_EQ(violations[0].path, change.path);
  return violations[0].reason;
}

TEST(ScopeTest, EditableAndOwnFilesAreAllowed) {
  for (const char* path : {"src/a.cc", "include/b/c.h",
                           "docs/autotune/2026-02-03-t/faster/notes.md"}) {
    EXPECT_EQ(ReasonFor(TestScope(), Change(path)), "") << path;
  }
  EXPECT_EQ(ReasonFor(TestScope(), Change("src/a", 'A', "000000", "100755")),
            "");
  EXPECT_EQ(ReasonFor(TestScope(), Change("src/l", 'D', "120000", "000000")),
            "");
}

TEST(ScopeTest, SealsWinOverEdit) {
  EXPECT_EQ(ReasonFor(TestScope(), Change("tests/a_test.cc", 'D')),
            "sealed by \"tests/**\"");
  EXPECT_EQ(ReasonFor(TestScope(), Change("src/CMakeLists.txt")),
            "sealed by \"**/CMakeLists.txt\"");
}

TEST(ScopeTest, OnlySourceListsMayBeReconsidered) {
  const auto violations = FindScopeViolations(
      TestScope(), {Change("src/CMakeLists.txt"), Change("bench/b.cc")});
  ASSERT_EQ(violations.size(), 2U);
  EXPECT_TRUE(violations[0].may_be_source_list);
  EXPECT_FALSE(violations[1].may_be_source_list);
}

TEST(ScopeTest, WhatNoPatternNamesIsOutside) {
  Scope scope = TestScope();
  scope.edit = {"src/**"};
  EXPECT_EQ(ReasonFor(scope, Change("README")), "outside scope.edit");
  scope.edit = {};
  EXPECT_EQ(ReasonFor(scope, Change("src/a.cc")), "outside scope.edit");
}

TEST(ScopeTest, TheLedgerIsOnlyOurs) {
  for (const char* path : {"docs/autotune/2026-02-03-t/metric.toml",
                           "docs/autotune/2026-02-03-t/task.toml",
                           "docs/autotune/2026-02-03-t/faster",
                           "docs/autotune/2026-02-03-t/faster2/notes.md",
                           "docs/autotune/2026-02-03-t/other/evidence.json"}) {
    EXPECT_EQ(ReasonFor(TestScope(), Change(path)),
              "the ledger, which only autotune writes")
        << path;
  }
}

TEST(ScopeTest, SymlinksSubmodulesAndGitsOwnFilesNeverPass) {
  EXPECT_EQ(ReasonFor(TestScope(), Change("src/l", 'A', "000000", "120000")),
            "a symlink, which could lead out of the scope");
  EXPECT_EQ(ReasonFor(TestScope(), Change("src/a.cc", 'T', "100644", "120000")),
            "a symlink, which could lead out of the scope");
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{
           {"000000", "160000"}, {"160000", "000000"}, {"160000", "160000"}}) {
    EXPECT_EQ(ReasonFor(TestScope(), Change("src/sub", 'M', from, to)),
              "a submodule; attempts may not change one");
  }
  for (const char* path :
       {".gitattributes", "src/.gitattributes", "src/x/.gitmodules",
        "docs/autotune/2026-02-03-t/faster/.gitattributes"}) {
    EXPECT_EQ(ReasonFor(TestScope(), Change(path)),
              "changes how git reads the tree")
        << path;
  }
}

TEST(ScopeTest, AnEmptyOwnFolderAllowsNothing) {
  Scope scope = TestScope();
  scope.edit = {"src/**"};
  scope.own_folder = "";
  EXPECT_EQ(ReasonFor(scope, Change("x")), "outside scope.edit");
}

TEST(ScopeTest, ARenameOutOfASealedFolderIsSeen) {
  TestRepository repo;
  repo.Write("tests/t.cc", "int test;\n");
  const std::string base = repo.Commit("test");
  repo.Git({"mv", "tests/t.cc", "src/t.cc"});
  repo.Commit("rename");
  ASSERT_OK_AND_ASSIGN(const auto changes, repo.Open().DiffTrees(base, "HEAD"));
  const auto violations = FindScopeViolations(TestScope(), changes);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "tests/t.cc");
}

}  // namespace
}  // namespace autotune

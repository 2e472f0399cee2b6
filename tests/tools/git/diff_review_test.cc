#include "tools/git/diff_review.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> Signs(const std::string& text,
                               const std::string& path = "src/a.cc") {
  std::vector<std::string> signs;
  for (const SuspiciousAddition& suspicion :
       FindSuspiciousAdditions({{path, 1, text}})) {
    signs.push_back(suspicion.what);
  }
  return signs;
}

TEST(SuspicionTest, WaysToFoolABenchmarkAreSeen) {
  EXPECT_THAT(Signs("  clock_gettime(CLOCK_MONOTONIC, &t);"),
              ElementsAre("reads a clock"));
  EXPECT_THAT(Signs("auto t = std::chrono::steady_clock::now();"),
              ElementsAre("reads a clock"));
  EXPECT_THAT(Signs("if (getenv(\"BENCHMARK_FILTER\")) return 0;"),
              ElementsAre("looks at the environment",
                          "knows that it is being measured"));
  EXPECT_THAT(Signs("  static std::map<int, int> cache;"),
              ElementsAre("keeps state across calls"));
  EXPECT_THAT(Signs("__attribute__((constructor)) void Early() {"),
              ElementsAre("runs before main"));
  EXPECT_THAT(Signs("#pragma GCC optimize(\"Ofast\")"),
              ElementsAre("steers the optimiser"));
  EXPECT_THAT(Signs("set(ENV{LD_PRELOAD} x.so)", "CMakeLists.txt"),
              ElementsAre("replaces code at run time"));
  EXPECT_THAT(Signs("std::thread worker([] {});"),
              ElementsAre("starts a thread or process"));
  EXPECT_THAT(Signs("std::this_thread::sleep_for(1ms);"),
              ElementsAre("waits or sends a signal"));
  EXPECT_THAT(Signs("int fd = open(\"/dev/shm/x\", 0);"),
              ElementsAre("keeps data outside the process"));
  EXPECT_THAT(Signs("std::srand(42);"), ElementsAre("touches random numbers"));
  EXPECT_THAT(Signs("asm volatile(\"\");"), ElementsAre("is assembly"));
}

TEST(SuspicionTest, OrdinaryCodeIsNot) {
  for (const char* line :
       {"int a = static_cast<int>(b);", "static_assert(sizeof(a) == 4);",
        "static constexpr int kSize = 4;", "int system_size = 1;",
        "for (int i = 0; i < n; ++i) sum += values[i];", "class Cloner {};",
        "const auto forked = fork_count;", ""}) {
    EXPECT_THAT(Signs(line), IsEmpty()) << line;
  }
}

TEST(SuspicionTest, NotesAreNotCode) {
  EXPECT_THAT(Signs("static cache, getenv, clock", "docs/notes.md"), IsEmpty());
  EXPECT_THAT(Signs("static cache", "src/x.hpp"), SizeIs(1));
}

TEST(SuspicionTest, WordsInCommentsAndStringsAreNone) {
  for (const char* line :
       {"// the clock is read elsewhere", "int a = 1;  // static",
        "int b; /* fork */ int c;", "Log(\"seed of the benchmark\");",
        "char q = '\"'; Log(\"a \\\" clock \\\" b\");"}) {
    EXPECT_THAT(Signs(line), IsEmpty()) << line;
  }
  EXPECT_THAT(Signs("# -march=native is left to the user", "CMakeLists.txt"),
              IsEmpty());
}

TEST(SuspicionTest, CodeBesideThemIsSeen) {
  for (const char* line :
       {"/* a */ clock();", "Log(\"a\"); clock();  // b",
        "int n = 1'000; clock();", "auto s = R\"(\")\"; clock();",
        "f('\\''); clock();", "unclosed \" clock();"}) {
    EXPECT_THAT(Signs(line), ElementsAre("reads a clock")) << line;
  }
  EXPECT_THAT(Signs("target_compile_options(a PRIVATE \"-march=native\")",
                    "CMakeLists.txt"),
              ElementsAre("steers the optimiser"));
}

TEST(SuspicionTest, WhatTheReplacedLineHadIsNone) {
  const auto lines = ParseAddedLines(
      "a.cc",
      "@@ -4,2 +4,3 @@\n-static Table table(64);\n-int n = 0;\n"
      "+static Table table(128);\n+static int n = 0;\n+clock();\n");
  const auto found = FindSuspiciousAdditions(lines);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].added.text, "static int n = 0;");
  EXPECT_EQ(found[1].added.text, "clock();");
}

TEST(SuspicionTest, EveryLineIsToldOnceForEachReason) {
  const auto found = FindSuspiciousAdditions(
      {{"a.cc", 3, "clock(); clock_gettime();"}, {"a.cc", 4, "clock();"}});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].added.line, 3);
  EXPECT_EQ(found[1].added.line, 4);
}

TEST(AddedLinesTest, AreReadFromADiff) {
  const auto lines = ParseAddedLines(
      "p",
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ f\n-old\n+new\n"
      "+@@ -9 +9 @@\n same\n+last\n@@ -9,0 +20 @@\n+far\n"
      "\\ No newline at end of file\n@@ -30,2 +40,0 @@\n-gone\n");
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0].line, 1);
  EXPECT_EQ(lines[0].text, "new");
  EXPECT_EQ(lines[1].text, "@@ -9 +9 @@");
  EXPECT_EQ(lines[2].line, 4);
  EXPECT_EQ(lines[3].line, 20);
}

TEST(AddedLinesTest, ComeFromEveryChangedFile) {
  TestRepository repo;
  repo.Git({"config", "diff.external", "false"});
  repo.Git({"config", "color.ui", "always"});
  repo.Git({"config", "diff.noprefix", "true"});
  repo.Write(".gitattributes", "*.cc diff=x -diff\n");
  repo.Git({"config", "diff.x.textconv", "false"});
  const std::string from = repo.Commit("attributes");
  const std::string to =
      repo.CommitOn(from, {{"src/a.cc", "int a = 1;\nint b;\n"},
                           {"src/new\n\".cc", std::string("x\0\ny\n", 5)},
                           {"README", "other\n"}});
  ASSERT_OK_AND_ASSIGN(const auto lines, AddedLines(repo.Open(), from, to));
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0].text, "other");
  EXPECT_EQ(lines[1].path, "src/a.cc");
  EXPECT_EQ(lines[1].line, 2);
  EXPECT_EQ(lines[1].text, "int b;");
  EXPECT_EQ(lines[2].path, "src/new\n\".cc");
  EXPECT_EQ(lines[3].text, "y");
}

}  // namespace
}  // namespace autotune

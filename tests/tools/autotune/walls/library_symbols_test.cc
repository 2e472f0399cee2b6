#include "tools/autotune/walls/library_symbols.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr SymbolFacts kTaken = {.defined = false};
constexpr SymbolFacts kDefined = {.defined = true, .size = 8};
constexpr SymbolFacts kInline = {.defined = true, .weak = true, .size = 8};

TEST(TakenSymbolsTest, InlineFunctionsThatALibraryInstantiatesTooAreNobodys) {
  BuildSymbols tip;
  tip.libraries["_ZNSt6vectorIiE4pushEv"] = kInline;
  tip.libraries["_ZN3lib4codeEv"] = kDefined;
  BuildSymbols attempt;
  attempt.program["_ZNSt6vectorIiE4pushEv"] = kInline;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
  attempt.program["_ZN3lib4codeEv"] = kInline;
  EXPECT_THAT(TakenSymbols(tip, attempt),
              ElementsAre("_ZN3lib4codeEv: a library's symbol, and the attempt "
                          "defines it"));
}

TEST(TakenSymbolsTest, ACopyOfALibrarysVariableIsNoDefinition) {
  const SymbolFacts variable = {.defined = true, .variable = true, .size = 8};
  BuildSymbols tip;
  tip.program["stderr"] = kTaken;
  tip.libraries["stderr"] = variable;
  BuildSymbols attempt;
  attempt.program["stderr"] = variable;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
}

TEST(TakenSymbolsTest, AStaticFunctionCountsOnlyWhereTheTipTakesItsName) {
  SymbolFacts local = kDefined;
  local.local = true;
  BuildSymbols tip;
  tip.libraries["error"] = kDefined;
  BuildSymbols attempt;
  attempt.program["error"] = local;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
  tip.program["error"] = kTaken;
  EXPECT_EQ(TakenSymbols(tip, attempt).size(), 1u);
}

// libbenchmark.a: its members are the program's, and a member all of whose
// functions are defined elsewhere is left out.
TEST(TakenSymbolsTest, AFunctionOfAnArchiveDefinedInATargetIsTaken) {
  BuildSymbols tip;
  tip.program["_ZN9benchmark14ThreadCPUUsageEv"] = kDefined;
  tip.program["Own"] = kDefined;
  tip.targets["code.dir"]["Own"] = kDefined;
  BuildSymbols attempt = tip;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
  attempt.targets["code.dir"]["_ZN9benchmark14ThreadCPUUsageEv"] = kInline;
  EXPECT_THAT(TakenSymbols(tip, attempt),
              ElementsAre("_ZN9benchmark14ThreadCPUUsageEv: the tip's program "
                          "has it from elsewhere, and the attempt defines it"));
}

TEST(TakenSymbolsTest, AFunctionOfTheProjectMayMoveBetweenItsTargets) {
  BuildSymbols tip;
  tip.program["Own"] = kDefined;
  tip.targets["one.dir"]["Own"] = kDefined;
  tip.targets["two.dir"] = {};
  BuildSymbols attempt;
  attempt.program["Own"] = kDefined;
  attempt.targets["one.dir"] = {};
  attempt.targets["two.dir"]["Own"] = kDefined;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
  attempt.targets["one.dir"]["Own"] = kDefined;
  EXPECT_EQ(TakenSymbols(tip, attempt).size(), 1u);
}

TEST(TakenSymbolsTest, AnotherSizeOfABenchmarkFunctionIsAnotherFunction) {
  BuildSymbols tip;
  tip.program["_ZN9benchmark5State11PauseTimingEv"] = kDefined;
  tip.program["_ZN9benchmark5ParseEv"] = kDefined;  // the project's own
  BuildSymbols attempt = tip;
  for (auto& [name, facts] : attempt.program) facts.size = 9;
  EXPECT_THAT(TakenSymbols(tip, attempt),
              ElementsAre("_ZN9benchmark5State11PauseTimingEv: a symbol of "
                          "Google Benchmark, and the attempt changes it"));
}

TEST(TakenSymbolsTest, ATestOfItsOwnMayHaveAMain) {
  BuildSymbols tip;
  tip.program["main"] = kDefined;
  tip.targets["code.dir"] = {};
  BuildSymbols attempt = tip;
  attempt.targets["inner_test.dir"]["main"] = kDefined;
  EXPECT_THAT(TakenSymbols(tip, attempt), IsEmpty());
  attempt.targets["code.dir"]["main"] = kDefined;
  EXPECT_EQ(TakenSymbols(tip, attempt).size(), 1u);
}

TEST(NewBenchmarkReferencesTest, OnlyTargetsThatHadNoneAreNamed) {
  BuildSymbols tip;
  tip.targets["bench.dir"]["_ZN9benchmark5State3endEv"] = kTaken;
  BuildSymbols attempt = tip;
  attempt.targets["bench.dir"]["_ZN9benchmark5State4nextEv"] = kTaken;
  EXPECT_THAT(NewBenchmarkReferences(tip, attempt), IsEmpty());
  attempt.targets["code.dir"]["_ZN9benchmark5State3endEv"] = kTaken;
  EXPECT_THAT(NewBenchmarkReferences(tip, attempt),
              ElementsAre("code.dir: refers to Google Benchmark"));
}

}  // namespace
}  // namespace autotune

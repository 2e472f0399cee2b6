#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_TEST_COUNT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_TEST_COUNT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/ledger/task_settings.h"

namespace autotune {

// How many tests of one run ran and passed, by who says so; nothing where
// nobody does.
struct TestCount {
  std::optional<std::int64_t> runner;  // ctest's JUnit file, or its last words
  std::optional<std::int64_t> google;  // the XML files of GoogleTest programs
  bool operator==(const TestCount&) const = default;
};

// The tests of a JUnit file of ctest, or of an XML file of GoogleTest, that ran
// and did not fail. Pure; 0 for any other text.
std::int64_t PassedInXml(std::string_view xml);

// The number that a runner's last words say: GoogleTest ("[  PASSED  ] 3
// tests."), ctest ("... 1 tests failed out of 9"), "5 passed". Pure.
std::optional<std::int64_t> PassedInWords(std::string_view output);

// "3 tests fewer ran and passed than in the tip (2 instead of 5)"; empty when
// none is missing. Programs that ctest runs side by side may write over each
// other's XML file, so of those (`shared`) only a half says something. Pure.
std::string FewerTests(const TestCount& tip, const TestCount& attempt,
                       bool shared);

// "there is no test", or "no test ran" where the runner itself says so (ctest
// without tests); empty when something was tested, as far as one can see. Pure.
std::string WhyUntested(const TaskSettings& settings, const TestCount& ran);

// FailedPrecondition, with the way out, when nothing tests what an attempt
// computes and the settings do not say why: a faster wrong answer could be
// kept. Pure.
absl::Status CheckTested(const TaskSettings& settings, const TestCount& ran);

// One line of text, and back; a damaged one counts nothing.
std::string TestCountText(const TestCount& count);
TestCount ParseTestCount(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_TEST_COUNT_H_

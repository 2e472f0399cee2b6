#include "benchmark_ext/build_facts.h"

#include <string>
#include <variant>

namespace autotune {
namespace {

const Fact* Find(const Facts& facts, const std::string& name) {
  for (const Fact& fact : facts) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

TEST(BuildFactsTest, TellsHowThisFileWasCompiled) {
  const Facts facts = BuildFacts();
  const Fact* compiler = Find(facts, "compiler");
  ASSERT_NE(compiler, nullptr);
#if defined(__clang__)
  EXPECT_EQ(std::get<std::string>(compiler->value).rfind("clang 1", 0), 0u);
#else
  EXPECT_EQ(std::get<std::string>(compiler->value).rfind("gcc 1", 0), 0u);
#endif
#if defined(NDEBUG)
  EXPECT_EQ(std::get<bool>(Find(facts, "assertions")->value), false);
#else
  EXPECT_EQ(std::get<bool>(Find(facts, "assertions")->value), true);
#endif
  EXPECT_EQ(std::get<std::int64_t>(Find(facts, "cplusplus")->value),
            __cplusplus);
}

TEST(BuildFactsTest, TellsOfASanitizerOnlyWhenThereIsOne) {
  EXPECT_EQ(Find(BuildFacts(), "address_sanitizer") != nullptr,
            internal::kHasAddressSanitizer);
  EXPECT_EQ(Find(BuildFacts(), "thread_sanitizer"), nullptr);
}

}  // namespace
}  // namespace autotune

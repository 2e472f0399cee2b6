#include "benchmark_ext/out_flags.h"

#include <string>
#include <vector>

namespace autotune::internal {
namespace {

std::string Path(std::vector<const char*> flags, const char* env_out = nullptr,
                 const char* env_format = nullptr) {
  flags.insert(flags.begin(), "program");
  return OurResultPath(static_cast<int>(flags.size()), flags.data(), env_out,
                       env_format);
}

TEST(OutFlagsTest, TheFlagNamesOurFile) {
  EXPECT_EQ(Path({"--benchmark_out=a.json"}), "a.json");
  EXPECT_EQ(Path({"--v=1", "--benchmark_out=a=b", "x"}), "a=b");
}

TEST(OutFlagsTest, WithoutAFileThereIsNothingToWrite) {
  EXPECT_EQ(Path({}), "");
  EXPECT_EQ(Path({"--benchmark_out="}), "");
  EXPECT_EQ(Path({"--benchmark_out="}, "env.json"), "");
  EXPECT_EQ(OurResultPath(0, nullptr, nullptr, nullptr), "");
}

TEST(OutFlagsTest, OnlyTheLibrarysSpellingIsAFlag) {
  EXPECT_EQ(Path({"--benchmark_out", "a.json"}), "");
  EXPECT_EQ(Path({"-benchmark_out=a.json"}), "");
  EXPECT_EQ(Path({"--benchmark_out_format=json"}), "");
}

TEST(OutFlagsTest, TheLastOfEqualFlagsCountsAndTheEnvironmentIsTheDefault) {
  EXPECT_EQ(Path({"--benchmark_out=a", "--benchmark_out=b"}), "b");
  EXPECT_EQ(Path({}, "env.json"), "env.json");
  EXPECT_EQ(Path({"--benchmark_out=a"}, "env.json"), "a");
}

TEST(OutFlagsTest, OtherFormatsAreTheLibrarys) {
  EXPECT_EQ(Path({"--benchmark_out=a", "--benchmark_out_format=csv"}), "");
  EXPECT_EQ(Path({"--benchmark_out_format=console"}, "env.txt"), "");
  EXPECT_EQ(Path({"--benchmark_out=a"}, nullptr, "csv"), "");
  EXPECT_EQ(Path({"--benchmark_out=a", "--benchmark_out_format=json"}, nullptr,
                 "csv"),
            "a");
  EXPECT_EQ(Path({"--benchmark_out=a", "--benchmark_out_format=xml"}), "");
}

}  // namespace
}  // namespace autotune::internal

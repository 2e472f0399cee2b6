#include "comparator/results/library_version.h"

#include <optional>
#include <string>

#include "comparator/results/result_file.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

ResultContext Context(const std::string& version) {
  ResultContext context;
  context.library_version = version;
  context.library_build_type = "release";
  context.json_schema_version = 1;
  return context;
}

TEST(LibraryVersionTest, ReadsReleasesAndWhatIsBuiltOnThem) {
  EXPECT_EQ(ParseLibraryVersion("1.8.4"), (LibraryVersion{1, 8, 4}));
  EXPECT_EQ(ParseLibraryVersion("v1.9.5"), (LibraryVersion{1, 9, 5}));
  EXPECT_EQ(ParseLibraryVersion("v1.9.5-118-gdeadbee"),
            (LibraryVersion{1, 9, 5}));
  for (const char* text : {"", "v", "1", "1.8", "1.8.", "1.8.4.1", "1.8.4x",
                           "-1.8.4", "v1.-8.4", "main"}) {
    EXPECT_EQ(ParseLibraryVersion(text), std::nullopt) << text;
  }
}

TEST(LibraryVersionTest, ReleasesAreOrderedByNumber) {
  EXPECT_LT((LibraryVersion{1, 8, 5}), (LibraryVersion{1, 9, 0}));
  EXPECT_LT((LibraryVersion{1, 9, 0}), (LibraryVersion{1, 10, 0}));
  EXPECT_LT((LibraryVersion{1, 9, 9}), (LibraryVersion{2, 0, 0}));
}

TEST(LibraryVersionTest, ThreadTimesChangedTheirMeaningIn190) {
  EXPECT_EQ(ThreadTimeOf(Context("v1.8.4")), ThreadTime::kWallOverThreads);
  EXPECT_EQ(ThreadTimeOf(Context("v1.8.5")), ThreadTime::kWallOverThreads);
  EXPECT_EQ(ThreadTimeOf(Context("v1.9.0")), ThreadTime::kMeanWall);
  EXPECT_EQ(ThreadTimeOf(Context("v1.9.5-1-g00")), ThreadTime::kMeanWall);
}

TEST(LibraryVersionTest, AContextWithoutVersionIsOldOrUnknown) {
  EXPECT_EQ(ThreadTimeOf(Context("")), ThreadTime::kUnknown);
  EXPECT_EQ(ThreadTimeOf(Context("v0.0.0")), ThreadTime::kUnknown);
  EXPECT_EQ(ThreadTimeOf(Context("mine")), ThreadTime::kUnknown);
  EXPECT_EQ(ThreadTimeOf(ResultContext{}), ThreadTime::kUnknown);
  ResultContext before_184;
  before_184.library_build_type = "release";
  EXPECT_EQ(ThreadTimeOf(before_184), ThreadTime::kWallOverThreads);
}

TEST(LibraryVersionTest, RatesWerePerThreadFor190To194) {
  EXPECT_FALSE(HasRatesPerThread(Context("v1.8.5")));
  EXPECT_TRUE(HasRatesPerThread(Context("v1.9.0")));
  EXPECT_TRUE(HasRatesPerThread(Context("v1.9.4")));
  EXPECT_FALSE(HasRatesPerThread(Context("v1.9.5")));
  EXPECT_FALSE(HasRatesPerThread(Context("")));
}

}  // namespace
}  // namespace autotune

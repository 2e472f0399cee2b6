// Replays the seeds of the fuzzers, and short changes of them.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tests/fuzz/fuzz_targets.h"

namespace autotune {
namespace {

// The target aborts when a promise is broken.
using Target = void (*)(std::string_view);

// The contents of all files in `folder`, by name.
std::vector<std::string> FilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  return files;
}

std::vector<std::string> SeedsOf(const std::string& name) {
  return FilesIn(std::string(AUTOTUNE_FUZZ_CORPUS_DIR) + "/" + name);
}

std::vector<std::string> ResultFileSeeds() {
  std::vector<std::string> seeds = SeedsOf("result_file");
  for (std::string& file :
       FilesIn(std::string(AUTOTUNE_REFERENCE_DIR) + "/google_benchmark")) {
    seeds.push_back(std::move(file));
  }
  return seeds;
}

void Replay(Target target, const std::vector<std::string>& seeds) {
  for (const std::string& seed : seeds) target(seed);
}

// `changes` variants of each seed, three bytes changed in each.
void ReplayChanged(Target target, const std::vector<std::string>& seeds,
                   int changes) {
  std::mt19937 random(20260102);
  const std::string bytes = "{}[]\",:\\ 019.eE+-nNI=()*\xff\xc3\n\x01u";
  for (std::string seed : seeds) {
    seed.resize(std::min<std::size_t>(seed.size(), 4000));
    for (int i = 0; i < changes && !seed.empty(); ++i) {
      std::string text = seed;
      for (int change = 0; change < 3; ++change) {
        const std::size_t place = random() % text.size();
        text[place] = bytes[random() % bytes.size()];
      }
      target(text);
    }
  }
}

TEST(FuzzCorpusTest, EverySeedOfTheResultFileKeepsItsPromises) {
  const std::vector<std::string> seeds = ResultFileSeeds();
  EXPECT_GE(seeds.size(), 10U);
  Replay(&FuzzResultFile, seeds);
}

TEST(FuzzCorpusTest, ChangedSeedsOfTheResultFileKeepTheirPromises) {
  ReplayChanged(&FuzzResultFile, ResultFileSeeds(), 200);
}

TEST(FuzzCorpusTest, SeedsOfPoliciesKeepTheirPromisesChangedOrNot) {
  const std::vector<std::string> seeds = SeedsOf("policy");
  EXPECT_GE(seeds.size(), 3U);
  Replay(&FuzzPolicy, seeds);
  ReplayChanged(&FuzzPolicy, seeds, 200);
}

TEST(FuzzCorpusTest, SeedsOfEvidenceKeepTheirPromisesChangedOrNot) {
  const std::vector<std::string> seeds = SeedsOf("evidence");
  EXPECT_GE(seeds.size(), 2U);
  Replay(&FuzzEvidence, seeds);
  ReplayChanged(&FuzzEvidence, seeds, 100);
}

TEST(FuzzCorpusTest, SeedsOfComparisonsKeepTheirPromisesChangedOrNot) {
  const std::vector<std::string> seeds = SeedsOf("comparison");
  EXPECT_GE(seeds.size(), 3U);
  Replay(&FuzzComparison, seeds);
  ReplayChanged(&FuzzComparison, seeds, 200);
}

}  // namespace
}  // namespace autotune

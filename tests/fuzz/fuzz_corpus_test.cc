// Replays the seeds of the fuzzers, and short changes of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace autotune {
namespace {

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

std::vector<std::string> Seeds() {
  std::vector<std::string> seeds =
      FilesIn(std::string(AUTOTUNE_FUZZ_CORPUS_DIR) + "/result_file");
  for (std::string& file :
       FilesIn(std::string(AUTOTUNE_REFERENCE_DIR) + "/google_benchmark")) {
    seeds.push_back(std::move(file));
  }
  return seeds;
}

// The target aborts when a promise is broken.
void Replay(const std::string& text) {
  EXPECT_EQ(
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()),
                             text.size()),
      0);
}

TEST(FuzzCorpusTest, EverySeedOfTheResultFileKeepsItsPromises) {
  const std::vector<std::string> seeds = Seeds();
  EXPECT_GE(seeds.size(), 10U);
  for (const std::string& seed : seeds) Replay(seed);
}

TEST(FuzzCorpusTest, ChangedSeedsOfTheResultFileKeepTheirPromises) {
  std::mt19937 random(20260102);
  const std::string bytes = "{}[]\",:\\ 019.eE+-nNI\xff\xc3\n\x01u";
  for (std::string seed : Seeds()) {
    seed.resize(std::min<std::size_t>(seed.size(), 4000));
    for (int i = 0; i < 200 && !seed.empty(); ++i) {
      std::string text = seed;
      for (int change = 0; change < 3; ++change) {
        const std::size_t place = random() % text.size();
        text[place] = bytes[random() % bytes.size()];
      }
      Replay(text);
    }
  }
}

}  // namespace
}  // namespace autotune

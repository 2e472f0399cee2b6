#ifndef AUTOTUNE_TESTS_REPORTER_RESULT_SINK_FIXTURE_H_
#define AUTOTUNE_TESTS_REPORTER_RESULT_SINK_FIXTURE_H_

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "reporter/result_sink.h"
#include "tests/support/temporary_folder.h"

// What the tests of the sinks share: a folder and what is in its files.
namespace autotune::internal {

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

inline std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

inline ino_t InodeOf(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

class ResultSinkTest : public testing::Test {
 protected:
  std::unique_ptr<ResultSink> Open(const std::string& path) {
    std::string error;
    auto sink = OpenResultSink(path, &error);
    EXPECT_NE(sink, nullptr) << error;
    return sink;
  }
  std::string OpenError(const std::string& path) {
    std::string error;
    EXPECT_EQ(OpenResultSink(path, &error), nullptr);
    return error;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.Join("result.json");
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_TESTS_REPORTER_RESULT_SINK_FIXTURE_H_

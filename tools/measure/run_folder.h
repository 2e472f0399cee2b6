#ifndef AUTOTUNE_TOOLS_MEASURE_RUN_FOLDER_H_
#define AUTOTUNE_TOOLS_MEASURE_RUN_FOLDER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "tools/system/file_system.h"

namespace autotune {

// A private folder for a run's program copies and results, removed at the end.
class RunFolder {
 public:
  static absl::StatusOr<std::unique_ptr<RunFolder>> Create(FileSystem& files) {
    ASSIGN_OR_RETURN(std::string path,
                     files.MakeTemporaryDirectory(TemporaryRoot(), "run-"));
    return std::unique_ptr<RunFolder>(new RunFolder(std::move(path), files));
  }
  ~RunFolder() { files_.RemoveAll(path_).IgnoreError(); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  RunFolder(std::string path, FileSystem& files)
      : path_(std::move(path)), files_(files) {}

  std::string path_;
  FileSystem& files_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_RUN_FOLDER_H_

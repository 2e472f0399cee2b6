#ifndef AUTOTUNE_TESTS_SUPPORT_TEMPORARY_FOLDER_H_
#define AUTOTUNE_TESTS_SUPPORT_TEMPORARY_FOLDER_H_

#include <cstdlib>
#include <memory>
#include <string>

#include "tools/system/file_system.h"

namespace autotune {

// A private folder that is removed with everything in it at the end of the
// test. Its path holds a space and a quote: what breaks on them shall break
// here.
class TemporaryFolder {
 public:
  TemporaryFolder() : files_(MakePosixFileSystem()) {
    const auto made =
        files_->MakeTemporaryDirectory(TemporaryRoot(), "autotune test's ");
    if (!made.ok()) std::abort();
    path_ = *made;
  }
  ~TemporaryFolder() { files_->RemoveAll(path_).IgnoreError(); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string Join(const std::string& name) const {
    return JoinPath(path_, name);
  }
  FileSystem& files() const { return *files_; }

 private:
  std::unique_ptr<FileSystem> files_;
  std::string path_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_TEMPORARY_FOLDER_H_

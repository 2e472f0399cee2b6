#ifndef AUTOTUNE_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_
#define AUTOTUNE_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/system/file_system.h"

namespace autotune {

// Passes calls on to another file system until the n-th call that writes,
// which fails, and every later one with it: a disk that became full or a
// machine that died there. Run once with no fault, read writes(), then run
// again with each n to visit every point of failure.
class FaultyFileSystem : public FileSystem {
 public:
  static constexpr int kNever = -1;

  explicit FaultyFileSystem(
      FileSystem& real, int fail_at = kNever,
      absl::Status fault = absl::ResourceExhaustedError("disk full"))
      : real_(real), fail_at_(fail_at), fault_(std::move(fault)) {}

  // Writing calls so far, the failed ones included.
  int writes() const { return writes_; }
  // True: only the n-th call fails and later ones pass again.
  void FailOnce() { once_ = true; }

  absl::StatusOr<std::string> ReadFile(const std::string& path) override {
    return real_.ReadFile(path);
  }
  absl::Status WriteFile(const std::string& path,
                         std::string_view contents) override {
    return Guarded([&] { return real_.WriteFile(path, contents); });
  }
  absl::Status AppendFile(const std::string& path,
                          std::string_view contents) override {
    return Guarded([&] { return real_.AppendFile(path, contents); });
  }
  absl::Status CopyFile(const std::string& from,
                        const std::string& to) override {
    return Guarded([&] { return real_.CopyFile(from, to); });
  }
  absl::Status MakeDirectories(const std::string& path) override {
    return Guarded([&] { return real_.MakeDirectories(path); });
  }
  absl::StatusOr<std::string> MakeTemporaryDirectory(
      const std::string& parent, const std::string& prefix) override {
    if (absl::Status status = NextWrite(); !status.ok()) return status;
    return real_.MakeTemporaryDirectory(parent, prefix);
  }
  absl::Status RemoveAll(const std::string& path) override {
    return Guarded([&] { return real_.RemoveAll(path); });
  }
  absl::Status Rename(const std::string& from, const std::string& to) override {
    return Guarded([&] { return real_.Rename(from, to); });
  }
  absl::StatusOr<std::vector<std::string>> ListDirectory(
      const std::string& path) override {
    return real_.ListDirectory(path);
  }
  absl::StatusOr<FileInfo> Info(const std::string& path) override {
    return real_.Info(path);
  }
  absl::StatusOr<std::string> ReadLink(const std::string& path) override {
    return real_.ReadLink(path);
  }
  absl::Status MakeLink(const std::string& target,
                        const std::string& path) override {
    return Guarded([&] { return real_.MakeLink(target, path); });
  }
  absl::Status Sync(const std::string& path) override {
    return Guarded([&] { return real_.Sync(path); });
  }
  std::string RealPath(const std::string& path) override {
    return real_.RealPath(path);
  }

 private:
  absl::Status NextWrite() {
    const int number = writes_++;
    if (fail_at_ == kNever || number < fail_at_) return absl::OkStatus();
    return once_ && number > fail_at_ ? absl::OkStatus() : fault_;
  }
  template <typename Call>
  absl::Status Guarded(Call call) {
    absl::Status status = NextWrite();
    return status.ok() ? call() : status;
  }

  FileSystem& real_;
  int fail_at_;
  absl::Status fault_;
  bool once_ = false;
  int writes_ = 0;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_

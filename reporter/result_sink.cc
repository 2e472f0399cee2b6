#include "reporter/result_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "reporter/plain_file.h"
#include "reporter/swapped_file.h"

namespace autotune::internal {
namespace {

// Whether replacing the file by another of the same name loses nothing.
bool MaySwap(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_nlink == 1 &&
         status.st_uid == geteuid();
}

bool IsSymbolicLink(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

bool ResultSink::Failed() {
  error_ = std::strerror(errno);
  return false;
}

std::unique_ptr<ResultSink> OpenResultSink(const std::string& path,
                                           std::string* error) {
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  // A link to nothing: opening it in place creates the file it names.
  const bool may_swap = exists
                            ? MaySwap(status) && access(path.c_str(), W_OK) == 0
                            : !IsSymbolicLink(path);
  std::unique_ptr<ResultSink> sink;
  if (may_swap) sink = SwappedFile::Open(path);
  if (sink == nullptr) sink = PlainFile::Open(path);
  if (sink == nullptr) *error = std::strerror(errno);
  return sink;
}

}  // namespace autotune::internal

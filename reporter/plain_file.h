#ifndef AUTOTUNE_REPORTER_PLAIN_FILE_H_
#define AUTOTUNE_REPORTER_PLAIN_FILE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "reporter/file_io.h"
#include "reporter/result_sink.h"

namespace autotune::internal {

// A document written through the one open file it has.
//
// Where positions exist (a regular file) each call overwrites the old tail and
// closing part with the new rows, the tail and the closing part in one write,
// padded with spaces when that is shorter: only a kill inside that write leaves
// a torn document. A pipe or device takes the rows as they come and the others
// from Finish.
class PlainFile : public ResultSink {
 public:
  // Opens or creates `path` and empties it; null with errno set on failure.
  static std::unique_ptr<ResultSink> Open(const std::string& path);

  bool Publish(const Growth& growth) override;
  bool Finish(const Growth& growth) override;

 private:
  PlainFile(OpenFile file, bool has_positions)
      : file_(std::move(file)), has_positions_(has_positions) {}
  bool Overwrite(const Growth& growth);
  bool Stream(std::string_view text);
  bool IsStillOpen() const;

  OpenFile file_;
  const bool has_positions_;
  std::string pending_;  // rows that are not in the file yet
  std::string tail_;
  off_t rows_ = 0;  // bytes of rows in the file
  off_t end_ = 0;   // the file's length
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_PLAIN_FILE_H_

#ifndef AUTOTUNE_REPORTER_PLAIN_FILE_H_
#define AUTOTUNE_REPORTER_PLAIN_FILE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "reporter/result_sink.h"

namespace autotune::internal {

// A document written through the one open file it has.
//
// Where positions exist (a regular file) each call overwrites the old closing
// part with the new text and closing part in one write, padded with spaces when
// that is shorter: only a kill inside that write leaves a torn document. A pipe
// or device takes the text as it comes and the closing part from Finish.
class PlainFile : public ResultSink {
 public:
  // Opens or creates `path` and empties it; null with errno set on failure.
  static std::unique_ptr<ResultSink> Open(const std::string& path);

  ~PlainFile() override;
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  bool Publish(std::string_view text, std::string_view closing) override;
  bool Finish(std::string_view text, std::string_view closing) override;

 private:
  PlainFile(int fd, bool has_positions)
      : fd_(fd), has_positions_(has_positions) {}
  bool Overwrite(std::string_view text, std::string_view closing);
  bool Stream(std::string_view text);

  const int fd_;
  const bool has_positions_;
  std::string pending_;  // kept, but not in the file yet
  off_t kept_ = 0;       // bytes of kept text in the file
  off_t end_ = 0;        // the file's length
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_PLAIN_FILE_H_

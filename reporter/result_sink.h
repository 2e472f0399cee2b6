#ifndef AUTOTUNE_REPORTER_RESULT_SINK_H_
#define AUTOTUNE_REPORTER_RESULT_SINK_H_

#include <memory>
#include <string>
#include <string_view>

namespace autotune::internal {

// What one call adds to a document.
struct Growth {
  std::string_view rows;
  std::string_view tail;
  std::string_view closing;
};

// Where a growing document goes. At any time the document is its *rows* and its
// *tail*, both of which only grow, and a *closing* part that every call
// replaces. White space may separate the three.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  // Appends to rows and tail and makes all three the document. Returns false
  // when that failed (see error()); what was appended stays so and the next
  // call tries again.
  virtual bool Publish(const Growth& growth) = 0;

  // As Publish for the last time: nothing but the document stays behind, and
  // without superfluous space. Publish may nevertheless follow.
  virtual bool Finish(const Growth& growth) = 0;

  // The latest failure in the system's words; empty when the latest call did
  // not fail.
  const std::string& error() const { return error_; }

 protected:
  bool Succeeded() {
    error_.clear();
    return true;
  }
  // Takes the failure from errno.
  bool Failed();

 private:
  std::string error_;
};

// Opens `path` the safest way it allows:
//
// - a new file, or a regular one of this user with a single name: a SwappedFile
//   (a kill at any moment leaves a whole document);
// - another regular file, or one in a folder where no file can be made: a
//   PlainFile, overwritten in place (a kill inside the one write may tear it);
// - a pipe or device: a PlainFile that gets the closing part only at the end.
//
// Null, with the reason in `*error`, when `path` cannot be written.
std::unique_ptr<ResultSink> OpenResultSink(const std::string& path,
                                           std::string* error);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_RESULT_SINK_H_

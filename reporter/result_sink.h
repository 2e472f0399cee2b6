#ifndef AUTOTUNE_REPORTER_RESULT_SINK_H_
#define AUTOTUNE_REPORTER_RESULT_SINK_H_

#include <memory>
#include <string>
#include <string_view>

namespace autotune::internal {

// Where a growing document goes. At any time the document is the *kept* text,
// which only grows, followed by a closing part that every call replaces.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  // Appends `text` to what is kept and makes kept + `closing` the document.
  // Returns false when that failed (see error()); the text stays kept and the
  // next call tries again.
  virtual bool Publish(std::string_view text, std::string_view closing) = 0;

  // As Publish for the last time: nothing but the document stays behind.
  // Publish may nevertheless follow.
  virtual bool Finish(std::string_view text, std::string_view closing) = 0;

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

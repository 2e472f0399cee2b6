#ifndef AUTOTUNE_REPORTER_SWAPPED_FILE_H_
#define AUTOTUNE_REPORTER_SWAPPED_FILE_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reporter/file_io.h"
#include "reporter/result_sink.h"

namespace autotune::internal {

// A document that is whole at every instant, whenever the process is killed.
//
// A write of more than a page can be cut short by a kill, so the published file
// is never written to. A *spare* beside it (hidden, ".NAME.autotune-spare") is
// brought up to date and the two names are exchanged in one step; the former
// document becomes the spare of the next call and lacks only what the latest
// one added. Between rows and tail a long document has a gap of spaces for rows
// to come, twice as far on whenever it is used up. A call therefore writes in
// proportion to what is new and the closing part, not to the document, on the
// average of many. Where the system cannot exchange names the spare is renamed
// over the document and the next spare starts as a copy.
//
// A killed process leaves its spare behind; the next writer of the same
// document removes it. Two live writers never share one: it is locked.
class SwappedFile : public ResultSink {
 public:
  // Takes over `path`, whose document stays as it is until the first Publish.
  // Null when no file can be made in its folder.
  static std::unique_ptr<ResultSink> Open(const std::string& path);

  ~SwappedFile() override;
  SwappedFile(const SwappedFile&) = delete;
  SwappedFile& operator=(const SwappedFile&) = delete;

  bool Publish(const Growth& growth) override;
  bool Finish(const Growth& growth) override;

 private:
  // One of the two files and what of the document it has.
  struct Copy {
    OpenFile file;
    off_t rows = 0;                // bytes of rows
    off_t tail = 0;                // bytes of tail
    std::optional<off_t> tail_at;  // where the tail starts, when it is there
  };

  SwappedFile(std::string path, std::string folder, std::string name);
  bool UpdateSpare(const Growth& growth, bool is_last);
  bool WriteSpare(std::string_view closing, off_t tail_at);
  bool HaveSpare();
  bool CopyRows();
  bool CreateSpare();
  bool CreateSpareNamed(const std::string& spare_path);
  void CopyMode() const;
  void DropSpare();
  void BecomePublished();
  bool Exchange();
  bool Replace();

  const std::string path_;    // absolute
  const std::string folder_;  // absolute
  const std::string name_;
  const pid_t owner_;  // the process that made this
  std::string spare_path_;
  Copy published_;
  Copy spare_;
  std::string tail_;     // the whole tail
  std::string lag_;      // rows the document has and the spare lacks
  std::string pending_;  // rows that neither has
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_SWAPPED_FILE_H_

#ifndef AUTOTUNE_REPORTER_SWAPPED_FILE_H_
#define AUTOTUNE_REPORTER_SWAPPED_FILE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "reporter/result_sink.h"

namespace autotune::internal {

// A document that is whole at every instant, whenever the process is killed.
//
// A write of more than a page can be cut short by a kill, so the published file
// is never written to. A *spare* beside it (hidden, ".NAME.autotune-spare") is
// brought up to date and the two names are exchanged in one step; the former
// document becomes the spare of the next call and lacks only the text of the
// latest one. A call therefore writes in proportion to the new text and the
// closing part, not to the document. Where the system cannot exchange names the
// spare is renamed over the document and the next spare starts as a copy.
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

  bool Publish(std::string_view text, std::string_view closing) override;
  bool Finish(std::string_view text, std::string_view closing) override;

 private:
  SwappedFile(std::string path, std::string folder, std::string name);
  bool UpdateSpare(std::string_view text, std::string_view closing);
  bool HaveSpare();
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
  std::string spare_path_;
  int published_ = -1;    // open file of the document, -1 before the first
  int spare_ = -1;        // open file of the spare, -1 when there is none
  off_t spare_kept_ = 0;  // bytes of kept text in the spare
  off_t kept_ = 0;        // bytes of kept text in the document
  std::string lag_;       // kept text the document has and the spare lacks
  std::string pending_;   // kept text that neither has
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_SWAPPED_FILE_H_

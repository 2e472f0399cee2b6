#ifndef AUTOTUNE_TOOLS_MEASURE_JOURNAL_H_
#define AUTOTUNE_TOOLS_MEASURE_JOURNAL_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "tools/system/file_system.h"

namespace autotune {

// The run's journal on disk: a header line, then one synced line a round, so
// that a killed run loses at most the round it was in. With an empty path
// nothing is written.
class Journal {
 public:
  Journal(std::string path, FileSystem& files)
      : path_(std::move(path)), files_(files) {}

  // What an earlier run left, without a torn last line. Nothing when there is
  // no file. InvalidArgument when it is no evidence, else CheckEvidencePlace's.
  absl::StatusOr<std::optional<Evidence>> Read();

  // FailedPrecondition when the file holds rounds already: nothing measured is
  // thrown away.
  absl::Status CheckFree();

  // Writes the journal of what `evidence` holds so far, to go on from there.
  absl::Status Begin(const Evidence& evidence);

  absl::Status Append(const RoundEvidence& round);

 private:
  std::string path_;
  FileSystem& files_;
};

// FailedPrecondition when something other than a regular file is at `path`: a
// journal is appended to, read again and replaced whole, which would wait for
// ever at a pipe and put a file in a device's place. An empty path is fine.
absl::Status CheckEvidencePlace(const std::string& path, FileSystem& files);

// OK when a run may continue `earlier`: equal programs and an equal policy (its
// budgets apart). FailedPrecondition saying what differs otherwise.
absl::Status CheckResumable(const Evidence& earlier, const Evidence& now,
                            const std::string& path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_JOURNAL_H_

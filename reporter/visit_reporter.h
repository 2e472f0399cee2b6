#ifndef AUTOTUNE_REPORTER_VISIT_REPORTER_H_
#define AUTOTUNE_REPORTER_VISIT_REPORTER_H_

#include <benchmark/benchmark.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reporter/benchmark_facts.h"
#include "reporter/fact.h"
#include "reporter/library_compat.h"
#include "reporter/resource_use.h"
#include "reporter/result_row.h"
#include "reporter/result_sink.h"
#include "reporter/visit_facts.h"

namespace autotune {

// Where a visit's results go and what is known of its surroundings.
struct VisitOptions {
  std::string result_path;
  // What names this process run; empty: 128 random bits in hex.
  std::string visit_id;
  // Written as autotune.environment; names differ.
  Facts environment;
};

// A file reporter that writes what Google Benchmark's own JSON reporter writes
// plus one top-level object "autotune" (docs/result_format.md).
//
// The file is a whole document after Open and after every finished benchmark,
// whenever the process is killed; "complete" is false in it until Finalize. It
// serves any number of RunSpecifiedBenchmarks calls: later ones append. The
// stream the library gives it is not used. In a process forked from the one
// that made it it writes nothing and removes nothing.
class VisitReporter : public compat::ReporterBase {
 public:
  // The second parameter exists for the linker: see compat::Layout.
  explicit VisitReporter(VisitOptions options, compat::ThisLayout layout = {});

  // Opens the result file and publishes a document without benchmarks. False,
  // with the system's reason in `*error`, when it cannot be written; the
  // reporter must not be used then.
  bool Open(std::string* error);

  bool ReportContext(const Context& context) override;
  void ReportRunsConfig(double min_time, bool has_explicit_iterations,
                        benchmark::IterationCount iterations) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // Whether the document says that nothing more is to come.
  bool complete() const { return complete_; }

  // Why the file lacks something that was reported; empty when it is whole.
  const std::string& error() const { return sink_->error(); }

 private:
  struct Addition {
    std::string rows;
    std::string tail;
  };

  void Publish(const Addition& addition, bool complete);
  std::string FactsOf(const std::vector<Run>& runs);
  std::string Closing(bool complete);
  bool IsOurs() const;

  const VisitOptions options_;
  const pid_t owner_;  // the process that made this
  internal::VisitFacts facts_;
  std::unique_ptr<internal::ResultSink> sink_;
  internal::RowNotes notes_;
  std::string latest_benchmark_;
  std::optional<internal::RunsConfig> config_;
  std::optional<internal::ResourceUse> previous_use_;
  bool complete_ = false;
  bool has_context_ = false;
  bool has_rows_ = false;
  bool has_facts_ = false;
  bool warned_ = false;
};

}  // namespace autotune

#endif  // AUTOTUNE_REPORTER_VISIT_REPORTER_H_

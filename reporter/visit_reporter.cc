#include "reporter/visit_reporter.h"

#include <cstddef>
#include <iostream>
#include <utility>

#include "reporter/json_writer.h"

namespace autotune {
namespace {

using internal::ReadProcessState;
using internal::ReadResourceUse;

constexpr char kBeforeContext[] = "{\n  \"context\": ";
constexpr char kBeforeRows[] = ",\n  \"benchmarks\": [";

}  // namespace

VisitReporter::VisitReporter(VisitOptions options,
                             compat::ThisLayout /*layout*/)
    : options_(std::move(options)),
      facts_(options_.visit_id, options_.environment) {}

bool VisitReporter::Open(std::string* error) {
  sink_ = internal::OpenResultSink(options_.result_path, error);
  if (sink_ == nullptr) return false;
  Publish("", false);
  previous_use_ = ReadResourceUse();
  return true;
}

bool VisitReporter::ReportContext(const Context& context) {
  if (has_context_) return true;
  const std::string text =
      kBeforeContext + internal::ContextJson(&context, notes_) + kBeforeRows;
  has_context_ = true;
  Publish(text, false);
  previous_use_ = ReadResourceUse();
  return true;
}

void VisitReporter::ReportRunsConfig(double min_time,
                                     bool has_explicit_iterations,
                                     benchmark::IterationCount iterations) {
  config_ = internal::RunsConfig{min_time, has_explicit_iterations, iterations};
}

void VisitReporter::ReportRuns(const std::vector<Run>& runs) {
  if (runs.empty()) return;
  AddBenchmarkFacts(runs.front());
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += has_rows_ ? ",\n    " : "\n    ";
    has_rows_ = true;
    text += internal::RowJson(runs, i, notes_);
  }
  Publish(text, false);
  // What writing used is nobody's.
  previous_use_ = ReadResourceUse();
}

void VisitReporter::Finalize() { Publish("", true); }

// A benchmark's rows come in one call or two, iterations before aggregates: the
// facts belong to the first. A lone fit of complexity is no benchmark.
void VisitReporter::AddBenchmarkFacts(const Run& run) {
  const std::string benchmark = run.run_name.str() + " " +
                                std::to_string(run.family_index) + " " +
                                std::to_string(run.per_family_instance_index);
  const bool is_fit = run.report_big_o || run.report_rms;
  if (is_fit || benchmark == latest_benchmark_) return;
  latest_benchmark_ = benchmark;
  benchmark_facts_ += benchmark_facts_.empty() ? "\n      " : ",\n      ";
  benchmark_facts_ += internal::BenchmarkFactsJson(
      run, config_, previous_use_, ReadResourceUse(), ReadProcessState());
}

void VisitReporter::Publish(const std::string& text, bool complete) {
  const std::string closing = Closing(complete);
  const bool done =
      complete ? sink_->Finish(text, closing) : sink_->Publish(text, closing);
  complete_ = complete;
  if (done || warned_) return;
  warned_ = true;
  std::cerr << "autotune: cannot write '" << options_.result_path
            << "': " << sink_->error() << std::endl;
}

// Before the library has told its context nothing is kept, and the document is
// all closing part.
std::string VisitReporter::Closing(bool complete) {
  std::string text;
  if (!has_context_) {
    internal::RowNotes discarded;
    text = kBeforeContext + internal::ContextJson(nullptr, discarded) +
           kBeforeRows;
  }
  text += has_rows_ ? "\n  ],\n" : "],\n";
  text += "  \"autotune\": " + facts_.Json(complete, benchmark_facts_, notes_) +
          "\n}\n";
  return text;
}

}  // namespace autotune

#include "reporter/visit_reporter.h"

#include <unistd.h>

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
constexpr char kAfterRows[] = "\n  ],\n  \"autotune\": ";

}  // namespace

VisitReporter::VisitReporter(VisitOptions options,
                             compat::ThisLayout /*layout*/)
    : options_(std::move(options)),
      owner_(getpid()),
      facts_(options_.visit_id, options_.environment) {}

bool VisitReporter::IsOurs() const { return getpid() == owner_; }

bool VisitReporter::Open(std::string* error) {
  sink_ = internal::OpenResultSink(options_.result_path, error);
  if (sink_ == nullptr) return false;
  Publish({}, false);
  previous_use_ = ReadResourceUse();
  return true;
}

bool VisitReporter::ReportContext(const Context& context) {
  latest_benchmark_.clear();
  if (has_context_) return true;
  Addition start;
  start.rows =
      kBeforeContext + internal::ContextJson(&context, notes_) + kBeforeRows;
  start.tail = kAfterRows + facts_.Start();
  has_context_ = true;
  Publish(start, false);
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
  Addition addition;
  addition.tail = FactsOf(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    addition.rows += has_rows_ ? ",\n    " : "\n    ";
    has_rows_ = true;
    addition.rows += internal::RowJson(runs, i, notes_);
  }
  Publish(addition, false);
  // What writing used is nobody's.
  previous_use_ = ReadResourceUse();
}

void VisitReporter::Finalize() { Publish({}, true); }

// The element of autotune.benchmarks for the benchmark of `run`, with what
// comes before it; empty when it has one. A benchmark's rows come in one call
// or two, iterations before aggregates. A lone fit of complexity is no
// benchmark.
std::string VisitReporter::FactsOf(const std::vector<Run>& runs) {
  const Run& run = runs.front();
  const std::string benchmark = run.run_name.str() + " " +
                                std::to_string(run.family_index) + " " +
                                std::to_string(run.per_family_instance_index);
  const bool is_fit = run.report_big_o || run.report_rms;
  if (is_fit || benchmark == latest_benchmark_) return {};
  latest_benchmark_ = benchmark;
  const std::string start = has_facts_ ? ",\n      " : "\n      ";
  has_facts_ = true;
  return start + internal::BenchmarkFactsJson(
                     run, internal::CounterKeys(runs, 0), config_,
                     previous_use_, ReadResourceUse(), ReadProcessState());
}

void VisitReporter::Publish(const Addition& addition, bool complete) {
  if (!IsOurs()) return;
  const std::string closing = Closing(complete);
  const internal::Growth growth = {addition.rows, addition.tail, closing};
  const bool done = complete ? sink_->Finish(growth) : sink_->Publish(growth);
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
           kBeforeRows + kAfterRows + facts_.Start();
  }
  return text + facts_.End(complete, notes_) + "\n}\n";
}

}  // namespace autotune

#ifndef AUTOTUNE_TESTS_SUPPORT_RESULT_BUILDER_H_
#define AUTOTUNE_TESTS_SUPPORT_RESULT_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Builds a ResultFile as the reader would give it, one benchmark a call.
class ResultBuilder {
 public:
  explicit ResultBuilder(std::string source_name) {
    file_.source_name = std::move(source_name);
  }

  // One row a value; real time equals CPU time.
  ResultBuilder& Times(const std::string& name,
                       const std::vector<double>& times_ns) {
    for (const double time : times_ns) {
      Measurement& row = file_.measurements.emplace_back();
      row.name = name;
      row.iterations = 1'000'000;
      row.real_time_ns = time;
      row.cpu_time_ns = time;
      row.threads = ThreadsInName(name);
    }
    return *this;
  }

  // Adds a counter to the rows so far that bear this name, one value each.
  ResultBuilder& Counter(const std::string& name, const std::string& counter,
                         const std::vector<double>& values) {
    std::size_t next = 0;
    for (Measurement& row : file_.measurements) {
      if (row.name == name && next < values.size()) {
        row.counters.emplace_back(counter, values[next++]);
      }
    }
    return *this;
  }

  ResultBuilder& Published(const std::string& name, const std::string& average,
                           double time_ns) {
    Aggregate& aggregate = file_.aggregates.emplace_back();
    aggregate.row.name = name;
    aggregate.row.real_time_ns = time_ns;
    aggregate.row.cpu_time_ns = time_ns;
    aggregate.aggregate_name = average;
    return *this;
  }

  ResultBuilder& Unusable(const std::string& name, UnusableRow::Kind kind,
                          const std::string& reason) {
    file_.unusable.push_back({name, kind, reason});
    return *this;
  }

  ResultBuilder& Visit(const std::string& visit_id) {
    file_.visit_id = visit_id;
    return *this;
  }

  ResultBuilder& Executable(const std::string& path) {
    file_.context.executable = path;
    return *this;
  }

  ResultFile& file() { return file_; }
  ResultFile Build() const { return file_; }

 private:
  ResultFile file_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_RESULT_BUILDER_H_

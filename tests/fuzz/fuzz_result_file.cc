// Any bytes are a result file or an error of one line, never a crash; what is
// read holds what result_file.h promises.

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/utf8_text.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "tests/fuzz/fuzz_targets.h"

namespace autotune {
namespace {

void RequireUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = Utf8CharacterSize(text);
    Require(length > 0);
    text.remove_prefix(length);
  }
}

void RequireTime(const std::optional<double>& time_ns) {
  Require(!time_ns.has_value() || (std::isfinite(*time_ns) && *time_ns >= 0.0));
}

void CheckMeasurement(const Measurement& row) {
  RequireUtf8(row.name);
  RequireUtf8(row.label);
  Require(row.iterations > 0);
  Require(row.registration >= 0);
  RequireTime(row.real_time_ns);
  RequireTime(row.cpu_time_ns);
  for (const auto& [name, value] : row.counters) {
    RequireUtf8(name);
    Require(std::isfinite(value));
  }
}

void Check(std::string_view text, const ParseOptions& options) {
  const absl::StatusOr<ResultFile> file =
      ParseResultFile(text, "fuzz.json", options);
  if (!file.ok()) {
    Require(file.status().code() == absl::StatusCode::kInvalidArgument);
    const std::string message(file.status().message());
    Require(message.starts_with("fuzz.json:"));
    Require(message.find('\n') == std::string::npos);
    return;
  }
  Require(file->complete || options.partial);
  for (const Measurement& row : file->measurements) CheckMeasurement(row);
  for (const Suspicion& suspicion : file->suspicions) {
    Require(!suspicion.text.empty());
  }
}

}  // namespace

void FuzzResultFile(std::string_view text) {
  Check(text, {.partial = false});
  Check(text, {.partial = true});
}

}  // namespace autotune

#include "tools/autotune/measuring/function_profile.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/measure/function_samples.h"
#include "tools/measure/instruction_count.h"
#include "tools/measure/visit.h"

namespace autotune {
namespace {

// A function below it cannot bring an end-to-end gain worth measuring.
constexpr double kLeastShare = 0.01;
// Some 500 samples a benchmark: a share of 10 % has a standard error of 1.3
// points.
constexpr double kSampledSeconds = 0.5;

std::vector<ProfilePart> PartsOf(const std::vector<FunctionCount>& functions,
                                 std::int64_t total,
                                 std::optional<double> nanoseconds) {
  std::vector<ProfilePart> parts;
  if (total <= 0) return parts;
  for (const FunctionCount& function : functions) {
    const auto whole = static_cast<double>(total);
    const double inclusive = static_cast<double>(function.inclusive) / whole;
    if (inclusive < kLeastShare) continue;
    ProfilePart part;
    part.name = function.name;
    part.share = static_cast<double>(function.exclusive) / whole;
    part.inclusive_share = inclusive;
    if (nanoseconds.has_value()) {
      part.nanoseconds = *part.share * *nanoseconds;
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

absl::Status AddSamples(const Session& session, const CountRequest& request,
                        BenchmarkProfile& profile) {
  CountRequest one = request;
  one.filter = ExactFilter({profile.name});
  ASSIGN_OR_RETURN(const FunctionSamples samples,
                   SampleFunctions(one, kSampledSeconds, session.seams));
  profile.parts =
      PartsOf(samples.functions, samples.samples, profile.nanoseconds);
  return absl::OkStatus();
}

absl::Status AddInstructions(const Session& session,
                             const CountRequest& request,
                             BenchmarkProfile& profile) {
  CountRequest one = request;
  one.filter = ExactFilter({profile.name});
  ASSIGN_OR_RETURN(const auto counts, CountInstructions(one, session.seams));
  for (const InstructionCount& count : counts) {
    profile.parts = PartsOf(count.functions, count.instructions, std::nullopt);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddFunctions(const Session& session, const Build& build,
                          ProfileKind kind,
                          std::vector<BenchmarkProfile>& profiles) {
  const SideCommand command = BuiltCommand(build);
  CountRequest request;
  request.command = &command;
  request.side = "profile";
  for (BenchmarkProfile& profile : profiles) {
    if (session.interrupted()) return absl::CancelledError("interrupted");
    RETURN_IF_ERROR(kind == ProfileKind::kSamples
                        ? AddSamples(session, request, profile)
                        : AddInstructions(session, request, profile));
  }
  return absl::OkStatus();
}

}  // namespace autotune

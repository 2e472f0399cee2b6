#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/toml_node.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/system/clock.h"

namespace autotune {

// Where a verb's policy comes from.
struct PolicyFlags {
  std::optional<std::string> file;  // --policy
  PolicyFlagValues values;
};

// Where each setting that names benchmarks or a number was written, by its kind
// and index.
class SettingPlaces {
 public:
  void AddFlag(SettingKind kind, const std::string& text);
  void AddLine(SettingKind kind, const std::string& text);

  // `status` as an error of that place: a usage error where it was a flag. One
  // that is about no such setting is returned as it is.
  absl::Status Placed(const absl::Status& status) const;
  absl::Status Placed(const IdleSetting& idle) const;

 private:
  struct Place {
    std::string text;  // "--guard \"BM_A=2%\"", "p.toml:3: guard[0]"
    bool is_flag = false;
  };
  std::map<SettingKind, std::vector<Place>> places_;
};

// Adds --policy and the flags of the policy that `verb` can use to decide;
// those that say how to measure are apart.
void AddPolicyFlags(CommandLine& line, PolicyVerb verb, PolicyFlags& flags);
void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags);

// The file that --policy, else the environment's BENCH_COMPARE_POLICY names,
// else .bench_compare.toml of the current folder, else of the nearest one above
// it up to the top of its git work tree.
struct PolicyFile {
  std::string source;  // its path as messages say it; empty: there is none
  TomlNode document;
};
absl::StatusOr<PolicyFile> ReadPolicyFile(const PolicyFlags& flags,
                                          const ProgramWorld& world);

// Tables of that file that say what `gate --base-ref` builds and runs; the
// other verbs pass them over.
inline constexpr std::string_view kGateTables[] = {"gate", "program", "rename"};

// The policy by precedence: flags, then `verb_kind` when it is a gate, then the
// file, then the defaults. A setting that `verb` cannot use is an error. Errors
// of flags are usage errors; those of a file are InvalidArgument, naming it.
// `places` is told where its settings come from.
absl::StatusOr<Policy> ResolvePolicy(const PolicyFile& file,
                                     const PolicyFlags& flags, PolicyVerb verb,
                                     PolicyKind verb_kind,
                                     SettingPlaces& places);

// The day on which waivers are looked at, YYYY-MM-DD in UTC.
std::string Today(Clock& clock);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_

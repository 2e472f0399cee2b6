#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_COMMAND_LINE_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_COMMAND_LINE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace CLI {
class App;
}  // namespace CLI

namespace autotune {

// A wrong command line: exit 64, `hint` the way out.
absl::Status UsageError(std::string_view message, std::string_view hint = "");

// The flags of one verb and their values after Parse. A thin wall around CLI11:
// its exceptions become statuses, an unknown flag gets a did-you-mean.
class CommandLine {
 public:
  // `usage` is what follows the program's name; `example` a command or more,
  // one a line.
  CommandLine(std::string_view usage, std::string_view description,
              std::string_view example);
  ~CommandLine();

  void AddFlag(const std::string& names, bool& value,
               const std::string& description);
  void AddText(const std::string& names, const std::string& placeholder,
               std::optional<std::string>& value,
               const std::string& description);
  // May be given several times; each takes one value.
  void AddTexts(const std::string& names, const std::string& placeholder,
                std::vector<std::string>& values,
                const std::string& description);
  void AddPositionals(const std::string& name, std::vector<std::string>& values,
                      const std::string& description);
  // Options added from here on are listed under this heading of --help.
  void StartGroup(std::string_view heading);

  // OutOfRange with a hint for a wrong command line. --help leaves everything
  // unread and makes help() true.
  absl::Status Parse(const std::vector<std::string>& arguments);

  bool help() const { return help_; }
  std::string HelpText() const;

 private:
  absl::Status UnknownArgument(const std::string& argument) const;

  std::unique_ptr<CLI::App> app_;
  std::string usage_;
  std::string example_;
  std::string group_ = "Options";
  bool help_ = false;
};

// Flags that every verb has.
struct CommonFlags {
  bool json = false;
  bool quiet = false;
  std::optional<std::string> color;
};
void AddCommonFlags(CommandLine& line, CommonFlags& flags);
// Sets `terminal.color`; a usage error for an unknown word.
absl::Status ApplyColor(const CommonFlags& flags, Terminal& terminal);

// Whether --json stands among the arguments: errors of parsing itself are
// reported in the form that was asked for.
bool WantsJson(const std::vector<std::string>& arguments);

// Prints the error in the form asked for and returns its exit code.
ExitCode Fail(const absl::Status& status, bool json, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_COMMAND_LINE_H_

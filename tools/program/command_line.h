#ifndef AUTOTUNE_TOOLS_PROGRAM_COMMAND_LINE_H_
#define AUTOTUNE_TOOLS_PROGRAM_COMMAND_LINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace autotune {

// A wrong command line: exit 64, `hint` the way out.
absl::Status UsageError(std::string_view message, std::string_view hint = "");

// One option or word of a verb, and where its value goes.
struct Argument {
  enum class Takes { kNothing, kOneValue, kValues };

  std::vector<std::string> names;    // "-q", "--quiet"; none: told by its place
  std::string placeholder;           // "REGEX", "FILE..."; empty: a flag
  std::string description;           // empty: not shown
  std::string group;                 // heading of --help
  std::vector<std::string> choices;  // all values there are; empty: any
  Takes takes = Takes::kNothing;
  bool repeats = false;  // may be given several times
  bool required = false;
  std::function<absl::Status(const std::string&)> set;
  bool given = false;
  std::string value;  // as given last
};

// What a verb takes, declared by the Add functions and read by Parse into the
// variables they name, which must outlive it. What Add returns is good until
// the next one.
//
// Written as usual: "--name VALUE" or "--name=VALUE" anywhere, words in their
// order, "--" before words that begin with a dash. The value after a name is
// taken as it is, "-5" and "" included, unless it is itself the name of a flag.
class CommandLine {
 public:
  // `names` is "-q,--quiet"; the flag sets `value` to `set_to`.
  Argument& AddFlag(const std::string& names, bool& value,
                    const std::string& description, bool set_to = true);
  Argument& AddFlag(const std::string& names, std::optional<std::string>& value,
                    const std::string& description, const std::string& set_to);
  Argument& AddText(const std::string& names, const std::string& placeholder,
                    std::string& value, const std::string& description);
  Argument& AddText(const std::string& names, const std::string& placeholder,
                    std::optional<std::string>& value,
                    const std::string& description);
  // May be given several times; each takes one value.
  Argument& AddTexts(const std::string& names, const std::string& placeholder,
                     std::vector<std::string>& values,
                     const std::string& description);
  // May be given several times; each takes all words up to the next flag, as a
  // shell makes them of "--name *.json".
  Argument& AddLists(const std::string& names, const std::string& placeholder,
                     std::vector<std::string>& values,
                     const std::string& description);
  // One of `choices`.
  Argument& AddChoice(const std::string& names,
                      const std::vector<std::string>& choices,
                      std::optional<std::string>& value,
                      const std::string& description);
  // A whole number in [smallest, largest].
  Argument& AddNumber(const std::string& names, const std::string& placeholder,
                      std::int64_t& value, std::int64_t smallest,
                      std::int64_t largest, const std::string& description);
  Argument& AddNumber(const std::string& names, const std::string& placeholder,
                      std::optional<std::int64_t>& value, std::int64_t smallest,
                      std::int64_t largest, const std::string& description);

  // A number above 0.
  Argument& AddAmount(const std::string& names, const std::string& placeholder,
                      std::optional<double>& value,
                      const std::string& description);

  // A word that must be there.
  Argument& AddWord(const std::string& placeholder, std::string& value,
                    const std::string& description);
  // All further words.
  Argument& AddWords(const std::string& placeholder,
                     std::vector<std::string>& values,
                     const std::string& description);
  // Everything after "--", for another program.
  void AddRest(std::vector<std::string>& values) { rest_ = &values; }

  // Options added from here on are listed under this heading of --help.
  void StartGroup(std::string_view heading) { group_ = std::string(heading); }

  // OutOfRange for a wrong command line, its hint what may be meant or
  // "COMMAND --help". With --help or --version among the arguments it is OK,
  // whatever else is wrong.
  absl::Status Parse(const std::vector<std::string>& arguments,
                     const std::string& command);

  // After Parse: the argument that one more word would be a value of, null when
  // it would be none of ours; and whether a flag may stand there.
  Argument* awaited() { return awaited_ < 0 ? nullptr : &arguments_[awaited_]; }
  bool flag_may_follow() const { return flag_may_follow_; }

  // The declared option of this name ("--quiet"); null: there is none.
  Argument* Find(std::string_view name);
  // Options and words in the order in which they were added.
  const std::vector<Argument>& arguments() const { return arguments_; }
  bool has_rest() const { return rest_ != nullptr; }

 private:
  class Parser;

  Argument& Add(const std::string& names, const std::string& placeholder,
                const std::string& description, Argument::Takes takes);
  template <typename Store>
  Argument& AddValue(const std::string& names, const std::string& placeholder,
                     const std::string& description, Store store);

  std::vector<Argument> arguments_;
  std::vector<std::string>* rest_ = nullptr;
  std::ptrdiff_t awaited_ = -1;
  bool flag_may_follow_ = true;
  std::string group_ = "Options";
};

// All spellings of all options, with their dashes.
std::vector<std::string> FlagNames(const CommandLine& line);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_COMMAND_LINE_H_

#include "tools/measure/answers.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"

namespace autotune {
namespace {

// By benchmark and counter, the different values of its rows.
using Answers = std::map<std::pair<std::string, std::string>, std::set<double>>;

Answers AnswersOf(const ResultFile& results) {
  Answers answers;
  for (const Measurement& row : results.measurements) {
    for (const auto& [name, value] : row.counters) {
      if (IsAnswer(name)) answers[{row.name, name}].insert(value);
    }
  }
  return answers;
}

std::string Text(const Answers& answers, const Answers::key_type& key) {
  const auto found = answers.find(key);
  if (found == answers.end()) return "none";
  if (found->second.size() > 1) return "not the same in all repetitions";
  return ShortestText(*found->second.begin());
}

bool Agree(const Answers& baseline, const Answers& contender,
           const Answers::key_type& key) {
  const auto mine = baseline.find(key);
  const auto theirs = contender.find(key);
  return mine != baseline.end() && theirs != contender.end() &&
         mine->second.size() == 1 && mine->second == theirs->second;
}

}  // namespace

bool IsAnswer(std::string_view counter) {
  return counter.substr(0, 7) == "answer/";
}

absl::Status CompareAnswers(const ResultFile& baseline,
                            const ResultFile& contender) {
  const Answers mine = AnswersOf(baseline);
  const Answers theirs = AnswersOf(contender);
  Answers all = mine;
  all.insert(theirs.begin(), theirs.end());
  for (const auto& [key, values] : all) {
    if (Agree(mine, theirs, key)) continue;
    return absl::AbortedError(absl::StrCat(
        "cannot judge: the answers differ: \"", key.first, "\": ", key.second,
        ": baseline ", Text(mine, key), ", contender ", Text(theirs, key)));
  }
  return absl::OkStatus();
}

}  // namespace autotune

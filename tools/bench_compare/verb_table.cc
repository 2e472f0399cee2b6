#include <functional>
#include <vector>

#include "comparator/policy/policy.h"
#include "tools/bench_compare/commands.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/shell_verbs.h"

namespace autotune {
namespace {

template <Action (*declare)(PolicyKind, CommandLine&), PolicyKind kind>
Action Of(CommandLine& line) {
  return declare(kind, line);
}

// What decides on a change.
std::vector<Verb> DecidingVerbs() {
  return {{"compare",
           "compare recorded files and decide on the change; needs no name",
           "bench_compare --filter=BM_Parse old.json new.json",
           &Of<DeclareCompare, PolicyKind::kTune>},
          {"run", "measure two programs and decide on the change",
           "bench_compare run --baseline build-old/bench \\\n"
           "      --contender build-new/bench --filter=BM_Parse --budget 60s",
           &Of<DeclareRun, PolicyKind::kTune>,
           "Measures two Google Benchmark programs in turns, in random order, "
           "until the\ndecision is proven or the budget is spent."},
          {"gate", "compare recorded files and only refuse losses",
           "bench_compare gate --margin=5% old.json new.json",
           &Of<DeclareCompare, PolicyKind::kGate>},
          {.name = "gate",
           .summary = "build a change and its base, and only refuse losses",
           .example = "bench_compare gate --base-ref origin/main --budget 10m",
           .declare = &DeclareChangeGate,
           .description =
               "Builds the merge base and the head of a change in fresh "
               "folders by the\ncommands of .bench_compare.toml, measures "
               "every benchmark program of both in\nturns, and says what is "
               "proven.",
           .flag = "--base-ref"},
          {"gate run", "measure two programs and only refuse losses",
           "bench_compare gate run --baseline build-old/bench \\\n"
           "      --contender build-new/bench --margin=5%",
           &Of<DeclareRun, PolicyKind::kGate>,
           "Measures two Google Benchmark programs in turns, in random order, "
           "until every\nbenchmark is proven unharmed, or one harmed, or the "
           "budget is spent."},
          {"combine", "one decision from runs on several hosts",
           "bench_compare combine host-a.json host-b.json --evidence "
           "fleet.json",
           &DeclareCombine,
           "Takes the files of `run --evidence` of several hosts. Equal "
           "machines add up\ntheir evidence; of unlike ones the mean decides "
           "and none may be harmed."}};
}

// What looks at a decision, or helps to make one.
std::vector<Verb> FurtherVerbs() {
  return {{"bisect", "find the commit that made a benchmark slower",
           "bench_compare bisect v1.0..HEAD --filter=BM_Parse --budget 60s",
           &DeclareBisect,
           "Builds and measures commits by .bench_compare.toml, each chosen "
           "by the evidence\nso far, until the first one that is worse is "
           "known with an error of at most 5 %.\nGoes around commits that do "
           "not build."},
          {"history add", "keep what was measured of a commit, in git notes",
           "bench_compare history add runs/*.json", &DeclareHistoryAdd,
           "Adds evidence of commits to refs/notes/bench, which clones merge "
           "by\ngit notes merge -s cat_sort_uniq."},
          {"history show", "where the level of a benchmark changed",
           "bench_compare history show --filter=BM_Parse", &DeclareHistoryShow,
           "Shows the benchmarks of refs/notes/bench along the first-parent "
           "history, and the\ncommits between which their level changed."},
          {"verify", "recompute the decision of a run from its evidence",
           "bench_compare verify run.json", &DeclareVerify},
          {"count", "instructions of both programs, exact to the digit",
           "bench_compare count --baseline build-old/bench \\\n"
           "      --contender build-new/bench --filter=BM_Parse",
           &DeclareCount,
           "Counts the instructions of one iteration by valgrind, twice on "
           "each "
           "side.\nThe set-up before the loop is no part of it. Explains a "
           "change, decides nothing."},
          {"explain", "where instructions came or went, by function",
           "bench_compare explain --baseline build-old/bench \\\n"
           "      --contender build-new/bench --filter=BM_Parse",
           &DeclareExplain,
           "Counts as `count` does and lists the functions whose own "
           "instructions changed\nmost."},
          {"calibrate", "what this machine can decide",
           "bench_compare calibrate --binary build/bench --filter=BM_Parse "
           "--budget 60s",
           &DeclareCalibrate,
           "Measures a Google Benchmark program against itself: how often "
           "this\nmachine raises a false alarm, how noisy it is, and how "
           "small "
           "a change\nthe budget can decide."}};
}

}  // namespace

Program BenchCompareProgram() {
  Program program = {
      .name = "bench_compare",
      .description =
          "Sound decisions between two builds by Google Benchmark results.",
      .exit_codes =
          "0 keep or pass, 1 discard or regression, 2 cannot judge,\n"
          "3 inconclusive, 64 usage, 65 bad input, 69 precondition, 70 our "
          "bug, "
          "75 busy,\n130 interrupted.",
      .example =
          "bench_compare run --baseline old/bench --contender new/bench "
          "--filter=BM_Parse",
      .verbs = DecidingVerbs(),
      .default_verb = "compare",
      .candidates = &BenchmarkCandidates};
  AddVerbs(FurtherVerbs(), program);
  AddShellVerbs(&BenchCompareProgram, program);
  return program;
}

}  // namespace autotune

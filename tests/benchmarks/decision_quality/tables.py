"""Tables of docs/decision-quality.md from recorded trials. Pure."""
import collections
import math
import statistics

MIN_EFFECT = -math.log(1 - 0.01)
ORDER = ("auto", "turns", "duet", "alternate", "usual10", "usual20")
NAMES = {"usual10": "10 repetitions, U test",
         "usual20": "20 repetitions, U test"}
# Their tables are about as large as the second-level cache: which pages a
# process was given, and every neighbour of the core, decide how much of them it
# holds. Shown in every table, and apart in that of the targets.
CACHE_SIZED_KERNELS = ("BM_LookupInL2", "BM_LookupOverL2")
# Two-sided 95 % point of the normal distribution.
Z95 = 1.959963984540054


# --- Statistics -------------------------------------------------------------

def wilson(successes, trials):
    """Wilson's 95 % score interval of a proportion.

    Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.
    """
    share = successes / trials
    spread = Z95 * math.sqrt(
        share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    middle = share + Z95**2 / (2 * trials)
    scale = 1 + Z95**2 / trials
    low = 0.0 if successes == 0 else (middle - spread) / scale
    high = 1.0 if successes == trials else (middle + spread) / scale
    return low, high


def percentile(values, share):
    """The smallest value with at least `share` of the values at or below it."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


# --- Text -------------------------------------------------------------------

def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |"
              for row in rows]
    return "\n".join(lines)


def share_text(successes, trials):
    """'3/40: 7.5 % (2.6-19.9)'."""
    if trials == 0:
        return "-"
    low, high = wilson(successes, trials)
    return (f"{successes}/{trials}: {100 * successes / trials:.1f} % "
            f"({100 * low:.1f}-{100 * high:.1f})")


def seconds_text(trials, clock="seconds"):
    """'8.1 / 20.4': median and 90th percentile; '-' without any."""
    seconds = [trial[clock] for trial in trials
               if trial.get(clock) is not None]
    if not seconds:
        return "-"
    return f"{statistics.median(seconds):.1f} / {percentile(seconds, 0.9):.1f}"


def method_name(method):
    return NAMES.get(method, f"bench_compare, {method}")


def methods_of(trials):
    found = {trial["method"] for trial in trials}
    return [method for method in ORDER if method in found]


def having(trials, **wanted):
    return [trial for trial in trials
            if all(trial[name] == value for name, value in wanted.items())]


def decisions(trials):
    return collections.Counter(trial["decision"] for trial in trials)


def says_different(trial):
    """Whether the trial claims that the sides differ: for us a keep, or a
    discard that says regressed."""
    if trial["method"].startswith("usual"):
        return trial["decision"] != "inconclusive"
    return trial["decision"] == "keep" or trial.get("verdict") == "regressed"


# --- Tables -----------------------------------------------------------------

def identical_table(trials):
    rows = []
    for method in methods_of(trials):
        mine = having(trials, method=method, suite="planted", effect=0.0)
        if not mine:
            continue
        counts = decisions(mine)
        claims = sum(1 for trial in mine if says_different(trial))
        rows.append([method_name(method),
                     share_text(counts["keep"], len(mine)),
                     share_text(claims, len(mine)),
                     counts["inconclusive"], counts["error"],
                     seconds_text(mine)])
    return markdown(["method", "false keeps", "called different",
                     "inconclusive", "errors", "seconds: median / 90 %"], rows)


def detection_table(trials):
    planted = having(trials, suite="planted")
    effects = sorted({trial["effect"] for trial in planted} - {0.0})
    rows = []
    for effect in effects:
        for method in methods_of(planted):
            mine = having(planted, method=method, effect=effect)
            if not mine:
                continue
            counts = decisions(mine)
            rows.append([f"{effect:g} %", method_name(method),
                         share_text(counts["keep"], len(mine)),
                         counts["discard"], counts["inconclusive"],
                         counts["error"], seconds_text(mine)])
    return markdown(["effect", "method", "keep", "discard", "inconclusive",
                     "errors", "seconds: median / 90 %"], rows)


def load_table(trials, method):
    """Decisions by the load average at their start, per load band."""
    planted = having(trials, suite="planted", method=method)
    rows = []
    for low, high in ((0, 2), (2, 4), (4, 8), (8, math.inf)):
        band = [trial for trial in planted if low <= trial["load"] < high]
        for effect in (0.0, 1.0, 5.0):
            mine = having(band, effect=effect)
            if not mine:
                continue
            counts = decisions(mine)
            name = f"{low} to {high}" if high < math.inf else f"{low} and more"
            rows.append([name, f"{effect:g} %",
                         share_text(counts["keep"], len(mine)),
                         counts["inconclusive"], seconds_text(mine),
                         seconds_text(mine, "cpu")])
    return markdown(["load average", "effect", "keep", "inconclusive",
                     "seconds: median / 90 %", "CPU seconds: median / 90 %"],
                    rows)


def tool_table(trials, method):
    """The same numbers for every bench_compare in the record, oldest first."""
    planted = having(trials, suite="planted", method=method)
    first = {}
    for trial in planted:
        first[trial["tool"]] = min(trial["time"],
                                   first.get(trial["tool"], trial["time"]))
    rows = []
    for tool in sorted(first, key=first.get):
        for effect in (0.0, 1.0, 5.0):
            mine = having(planted, tool=tool, effect=effect)
            if not mine:
                continue
            counts = decisions(mine)
            rows.append([tool, f"{effect:g} %",
                         share_text(counts["keep"], len(mine)),
                         counts["discard"], counts["inconclusive"],
                         seconds_text(mine)])
    return markdown(["bench_compare", "effect", "keep", "discard",
                     "inconclusive", "seconds: median / 90 %"], rows)


def kernel_table(trials, method):
    planted = having(trials, suite="planted", method=method)
    rows = []
    for kernel in sorted({trial["benchmark"] for trial in planted}):
        row = [kernel]
        for effect in (0.0, 1.0, 5.0):
            mine = having(planted, benchmark=kernel, effect=effect)
            counts = decisions(mine)
            row += [f"{counts['keep']}/{len(mine)}",
                    seconds_text(mine)]
        modes = collections.Counter(
            trial.get("mode") or "none"
            for trial in having(planted, benchmark=kernel))
        row.append(", ".join(f"{mode} {count}" for mode, count in
                             modes.most_common()))
        rows.append(row)
    return markdown(["kernel", "keep at 0", "seconds", "keep at 1 %",
                     "seconds", "keep at 5 %", "seconds", "modes taken"], rows)


def improvement(trial, log_ratio):
    """The contender's true log-improvement in this trial."""
    return -log_ratio if trial["flipped"] else log_ratio


def is_wrong_way(trial, log_ratio):
    """A keep of a loss, or a discard of an improvement above the minimum."""
    true = improvement(trial, log_ratio)
    return (trial["decision"] == "keep" and true <= 0) or (
        trial["decision"] == "discard" and true >= MIN_EFFECT)


def bias_points(trial, log_ratio):
    """Estimate minus truth of the second way's log-improvement, in points."""
    sign = -1 if trial["flipped"] else 1
    return 100 * (-sign * math.log(trial["ratio"]) - log_ratio)


def change_text(log_ratio):
    """Change of the time from the first way to the second."""
    return f"{100 * (math.exp(-log_ratio) - 1):+.1f} %"


def truth_table(pairs):
    rows = []
    for name, true in pairs.items():
        ends = [true[end] for end in ("high", "low")]
        interval = "-" if None in ends else (
            f"{change_text(ends[0])} to {change_text(ends[1])}")
        rows.append([name, change_text(true["log_ratio"]), interval,
                     true["rounds"]])
    return markdown(["pair", "true change of the time", "95 % interval",
                     "rounds"], rows)


def judged_pairs(trials, pairs):
    return [trial for trial in having(trials, suite="unlike")
            if trial["benchmark"] in pairs]


def large_pairs(trials, pairs):
    """Trials of pairs that truly differ by 5 % or more."""
    return [trial for trial in trials
            if abs(pairs[trial["benchmark"]]["log_ratio"]) >=
            -math.log(1 - 0.05)]


def mode_table(trials, pairs):
    """All pairs together: wrong-way decisions, bias and seconds a method."""
    unlike = judged_pairs(trials, pairs)
    rows = []
    for method in methods_of(unlike):
        mine = having(unlike, method=method)
        wrong = sum(is_wrong_way(trial, pairs[trial["benchmark"]]["log_ratio"])
                    for trial in mine)
        biases = [abs(bias_points(trial,
                                  pairs[trial["benchmark"]]["log_ratio"]))
                  for trial in mine if trial.get("ratio")]
        counts = decisions(mine)
        large = large_pairs(mine, pairs)
        rows.append([
            method_name(method), share_text(wrong, len(mine)),
            counts["inconclusive"], counts["error"],
            f"{statistics.median(biases):.1f} / {percentile(biases, 0.9):.1f}"
            if biases else "-",
            seconds_text(large)])
    return markdown(["method", "wrong way", "inconclusive", "errors",
                     "points off: median / 90 %",
                     "seconds at 5 % and more: median / 90 %"], rows)


def pair_cell(trials, log_ratio):
    """'right wrong inconclusive; median bias' of one pair and method."""
    if not trials:
        return "-"
    wrong = sum(is_wrong_way(trial, log_ratio) for trial in trials)
    undecided = sum(trial["decision"] not in ("keep", "discard")
                    for trial in trials)
    biases = [bias_points(trial, log_ratio) for trial in trials
              if trial.get("ratio")]
    bias = f"{statistics.median(biases):+.1f}" if biases else "-"
    return f"{len(trials) - wrong - undecided} / {wrong} / {undecided}; {bias}"


def pair_table(trials, pairs):
    unlike = judged_pairs(trials, pairs)
    methods = methods_of(unlike)
    rows = []
    for name, true in pairs.items():
        row = [name, change_text(true["log_ratio"])]
        for method in methods:
            row.append(pair_cell(having(unlike, benchmark=name, method=method),
                                 true["log_ratio"]))
        rows.append(row)
    return markdown(["pair", "true change"] +
                    [method_name(method) for method in methods], rows)


def verdict_text(met):
    return "met" if met else "missed"


def _share_target(trials, wanted, at_most):
    keeps = decisions(trials)["keep"]
    share = keeps / len(trials)
    met = share <= wanted if at_most else share >= wanted
    return f"{share_text(keeps, len(trials))}, {verdict_text(met)}"


def _seconds_target(trials, share, limit):
    reached = percentile([trial["seconds"] for trial in trials], share)
    return f"{reached:.1f} s, {verdict_text(reached <= limit)}"


def planted_targets(planted):
    """Target -> what was measured; only of effects that have trials."""
    reached = {}
    none, one, five = (having(planted, effect=effect)
                       for effect in (0.0, 1.0, 5.0))
    if none:
        reached["identical: false keeps <= 5 %"] = _share_target(
            none, 0.05, True)
    if one:
        reached["1 %: keep >= 88 %"] = _share_target(one, 0.88, False)
        reached["1 %: median <= 12 s"] = _seconds_target(one, 0.5, 12)
        reached["1 %: 90th percentile <= 45 s"] = _seconds_target(one, 0.9, 45)
    if five:
        reached["5 %: keep >= 99 %"] = _share_target(five, 0.99, False)
        reached["5 %: median <= 3 s"] = _seconds_target(five, 0.5, 3)
    return reached


def unlike_targets(unlike, pairs):
    """As planted_targets, of the unlike pairs."""
    if not unlike:
        return {}
    wrong = sum(is_wrong_way(trial, pairs[trial["benchmark"]]["log_ratio"])
                for trial in unlike)
    reached = {"unlike pairs: no wrong-way decision":
               f"{share_text(wrong, len(unlike))}, {verdict_text(wrong == 0)}"}
    large = large_pairs(unlike, pairs)
    if large:
        reached["unlike pairs of 5 % and more: median <= 20 s"] = (
            _seconds_target(large, 0.5, 20))
    return reached


def target_table(trials, pairs, method="auto"):
    """The point values against the targets; the intervals say how sure."""
    mine = having(trials, method=method)
    planted = having(mine, suite="planted")
    five = planted_targets([trial for trial in planted
                            if trial["benchmark"] not in CACHE_SIZED_KERNELS])
    every = planted_targets(planted)
    rows = [[target, five.get(target, "-"), every[target]] for target in every]
    rows += [[target, reached, ""] for target, reached in
             unlike_targets(judged_pairs(mine, pairs), pairs).items()]
    return markdown(["target", "measured", "with lookups the size of the second-level cache"], rows)


def span_text(trials):
    """When, how many and how loaded."""
    if not trials:
        return "No trials."
    loads = [trial["load"] for trial in trials]
    times = sorted(trial["time"] for trial in trials)
    return (f"{len(trials)} trials from {times[0]} to {times[-1]}; load "
            f"average at their start {min(loads):.1f} to {max(loads):.1f}, "
            f"median {statistics.median(loads):.1f}.")


def report(trials, pairs):
    """The whole Markdown: each table under its heading."""
    parts = [("Trials", span_text(trials))]
    if trials:
        parts += [
            ("Targets, mode auto", target_table(trials, pairs)),
            ("Identical programs", identical_table(trials)),
            ("Planted effects", detection_table(trials)),
            ("Mode auto by load", load_table(trials, "auto")),
            ("Mode auto by version", tool_table(trials, "auto")),
            ("Mode auto by kernel", kernel_table(trials, "auto")),
            ("Unlike pairs by mode", mode_table(trials, pairs)),
            ("Unlike pairs: right / wrong way / undecided; points off",
             pair_table(trials, pairs)),
        ]
    if pairs:
        parts.append(("Truth of the unlike pairs", truth_table(pairs)))
    return "\n\n".join(f"### {title}\n\n{text}" for title, text in parts)

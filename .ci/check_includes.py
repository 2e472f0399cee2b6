#!/usr/bin/env python3
"""Fails when a file includes a room it may not know (docs/architecture.md).

Usage: check_includes.py [ROOT]. Prints one line per forbidden include and exits
1 when there is any.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')

# Every room of the comparator, from the ground up; each knows what its line
# says and, like all of them, base.
STATISTICS = "comparator/statistics"
POLICY = "comparator/policy"
OUTCOME = "comparator/outcome"
RESULTS = "comparator/results"
RECORDED = "comparator/recorded"
JUDGE = "comparator/judge"
EVIDENCE = "comparator/evidence"
FLEET = "comparator/fleet"
COMPARATOR = {
    STATISTICS, POLICY, OUTCOME, RESULTS, RECORDED, JUDGE, EVIDENCE, FLEET}

# What all rooms of the program `autotune` may know, and those rooms from the
# ground up.
AUTOTUNE_KNOWS = {
    "base", "tools/system", "tools/measure", "tools/report", "tools/ledger",
    "tools/git", "tools/build", "tools/program"} | COMPARATOR
TASK = "tools/autotune/task"
WALLS = "tools/autotune/walls"
MEASURING = "tools/autotune/measuring"
DECIDING = "tools/autotune/deciding"
VERBS = "tools/autotune/verbs"

# Room -> rooms whose headers it may include besides its own.
ALLOWED = {
    "base": set(),
    "reporter": set(),
    "benchmark_ext": {"reporter"},
    STATISTICS: {"base"},
    POLICY: {"base", STATISTICS},
    RESULTS: {"base", STATISTICS},
    OUTCOME: {"base", STATISTICS, POLICY},
    RECORDED: {"base", STATISTICS, POLICY, OUTCOME, RESULTS},
    JUDGE: {"base", STATISTICS, POLICY, OUTCOME},
    # It reads JSON with the scanner of the results.
    EVIDENCE: {"base", STATISTICS, POLICY, OUTCOME, RESULTS, JUDGE},
    FLEET: {"base", STATISTICS, POLICY, OUTCOME, JUDGE, EVIDENCE},
    "tools/system": {"base"},
    "tools/git": {"base", "tools/system"},
    "tools/ledger": {"base", "tools/system"} | COMPARATOR,
    "tools/measure": {"base", "tools/system"} | COMPARATOR,
    "tools/report": {"base", "tools/system"} | COMPARATOR,
    "tools/program": {"base", "tools/system", "tools/report"},
    "tools/build": {"base", "tools/system", "tools/report"},
    "tools/bench_compare": {
        "base", "tools/system", "tools/measure", "tools/report", "tools/git",
        "tools/build", "tools/program"} | COMPARATOR,
    TASK: AUTOTUNE_KNOWS,
    WALLS: AUTOTUNE_KNOWS | {TASK},
    MEASURING: AUTOTUNE_KNOWS | {TASK, WALLS},
    DECIDING: AUTOTUNE_KNOWS | {TASK, WALLS, MEASURING},
    VERBS: AUTOTUNE_KNOWS | {TASK, WALLS, MEASURING, DECIDING},
    # main and the table of its verbs.
    "tools/autotune": AUTOTUNE_KNOWS | {
        TASK, WALLS, MEASURING, DECIDING, VERBS},
}
# Heavy libraries stay out of headers: one full build must stay short.
HEAVY = ("nlohmann/", "toml++/", "boost/")
# What a pure room may not reach: files, clocks, environment, streams, threads.
IMPURE = re.compile(
    r"^(iostream|fstream|sstream|iomanip|filesystem|chrono|thread|mutex|random"
    r"|ctime|time\.h|unistd\.h|fcntl\.h|sys/.*|absl/time/.*)$")


def room_of(path):
    """The longest room that is a prefix of `path`, or None."""
    parts = path.split("/")
    for length in (3, 2, 1):
        room = "/".join(parts[:length])
        if room in ALLOWED and len(parts) > length:
            return room
    return None


def problem(path, room, bracket, included):
    """Why `room` may not include `included`, or None."""
    if path.endswith(".h") and included.startswith(HEAVY):
        return "heavy library in a header; include it in the .cc"
    if room in COMPARATOR and IMPURE.match(included):
        return "comparator is pure: no file, clock, environment or stream"
    if included.startswith("benchmark/") and room not in (
            "reporter", "benchmark_ext"):
        return "only reporter and benchmark_ext know Google Benchmark"
    target = room_of(included)
    if bracket == '"' and target not in (None, room) and (
            target not in ALLOWED[room]):
        return f"{room} may not include {target}"
    return None


def check(root):
    """One line per forbidden include below `root`, in path order."""
    problems = []
    for top in sorted({room.split("/")[0] for room in ALLOWED}):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root).as_posix()
            room = room_of(path)
            if room is None or file.suffix not in (".h", ".cc"):
                continue
            lines = file.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, start=1):
                match = INCLUDE.match(line)
                why = match and problem(path, room, match[1], match[2])
                if why:
                    problems.append(f"{path}:{number}: {match[2]}: {why}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    problems = check(root)
    print("\n".join(problems) or "include directions: as drawn")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

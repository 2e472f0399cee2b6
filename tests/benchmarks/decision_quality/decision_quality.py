#!/usr/bin/env python3
"""Measures how often bench_compare and the usual practice decide right.

  run           live trials on programs whose truth is known, trial by trial in
                turn; each is appended to a JSONL file, so a run can be killed,
                continued and added to
  summary       the tables of docs/decision-quality.md, from that file
  truth         the true ratios of the unlike pairs, by long alternate runs
  plant-check   what is planted, counted in instructions and timed

Standard library only; plant-check's counting needs valgrind.
"""
import argparse
import datetime
import hashlib
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the source tree stays as it is

import tables
from rank_test import u_test_p
from record import append_trial, read_trials, write_csv

MARKER = b"autotune-knob = "
BASE_UNITS = 2000
# Per cent less work -> units; exact by choice of BASE_UNITS.
UNITS = {0.0: 2000, 0.5: 1990, 1.0: 1980, 2.0: 1960, 5.0: 1900}
KERNELS = ("BM_Lookup", "BM_Parse", "BM_Float", "BM_Allocate", "BM_Format",
           *tables.CACHE_SIZED_KERNELS)
# How often a cell comes up beside the others: where the targets are, most.
EFFECT_WEIGHT = {0.0: 3, 0.5: 1, 1.0: 3, 2.0: 1, 5.0: 2}
MODES = ("turns", "duet", "alternate")
DECISIONS = {0: "keep", 1: "discard", 3: "inconclusive"}
USUAL_LEVEL = 0.05


# --- Programs ---------------------------------------------------------------

def plant(program, knob, serial, target):
    """Writes a copy of `program` with this knob and serial to `target`."""
    data = pathlib.Path(program).read_bytes()
    at = data.find(MARKER)
    if at < 0 or data.find(MARKER, at + 1) >= 0:
        raise SystemExit(f"{program}: expected exactly one knob")
    at += len(MARKER)
    patched = data[:at] + b"%08d%08d" % (knob, serial) + data[at + 16:]
    pathlib.Path(target).write_bytes(patched)
    os.chmod(target, 0o755)


def clean_environment():
    """The environment without the variables that are Google Benchmark flags."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("BENCHMARK_", "BENCH_COMPARE_"))}


def run_benchmark(program, benchmark, repetitions, min_time, cpu=None):
    """cpu_time in ns of every repetition of one process run."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        pin = None if cpu is None else lambda: os.sched_setaffinity(0, {cpu})
        subprocess.run(
            [program, f"--benchmark_filter=^{re.escape(benchmark)}$",
             f"--benchmark_repetitions={repetitions}",
             f"--benchmark_min_time={min_time}", f"--benchmark_out={out}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=clean_environment(), cwd=folder, preexec_fn=pin, timeout=600)
        rows = json.loads(pathlib.Path(out).read_text())["benchmarks"]
    return [row["cpu_time"] for row in rows
            if row.get("run_type", "iteration") == "iteration"]


# --- The two ways to decide -------------------------------------------------

def decide_ours(options, baseline, contender, benchmark, mode):
    """One live `bench_compare run`; what it decided and said. Its lock is its
    own: waiting for others who measure is no part of a decision's time."""
    with tempfile.TemporaryDirectory() as folder:
        evidence = os.path.join(folder, "evidence.json")
        environment = {**clean_environment(),
                       "AUTOTUNE_MEASURE_LOCK": os.path.join(folder, "lock")}
        done = subprocess.run(
            [options.bench_compare, "run", f"--baseline={baseline}",
             f"--contender={contender}", f"--filter=^{re.escape(benchmark)}$",
             f"--mode={mode}", "--min-effect=1%", f"--budget={options.budget}s",
             f"--evidence={evidence}", "--quiet"],
            capture_output=True, text=True, env=environment, cwd=folder,
            check=False)
        result = {"decision": DECISIONS.get(done.returncode, "error")}
        if result["decision"] == "error":
            result["error"] = (done.stderr or done.stdout).strip()[-300:]
            return result
        text = pathlib.Path(evidence).read_text()
    return {**result, **of_evidence(json.loads(text))}


def is_void(one):
    """Whether a round failed; other rounds outside the test check a decision
    or were left for longer turns."""
    return one["use"] == "void"


def of_evidence(evidence):
    """The few facts of an evidence file that the tables need."""
    rounds = evidence["rounds"]
    overall = evidence["overall"]
    counted_modes = [one["mode"] for one in rounds if one["use"] == "counts"]
    return {
        "reason": evidence["downgrade"] or evidence["reason"],
        "verdict": overall["verdict"],
        "ratio": overall["estimate"]["ratio"] if overall["rounds"] else None,
        "rounds": overall["rounds"],
        "all_rounds": len(rounds),
        "voided": sum(map(is_void, rounds)),
        "mode": counted_modes[0] if counted_modes else None,
    }


def decide_usual(options, baseline, contender, benchmark, repetitions):
    """All repetitions of one side, then of the other, and a U test at 5 %."""
    old = run_benchmark(baseline, benchmark, repetitions, options.min_time)
    new = run_benchmark(contender, benchmark, repetitions, options.min_time)
    p = u_test_p(old, new)
    ratio = statistics.median(new) / statistics.median(old)
    decision = "inconclusive"
    if p < USUAL_LEVEL:
        decision = "keep" if ratio < 1 else "discard"
    return {"decision": decision, "p": p, "ratio": ratio}


def decide(options, method, baseline, contender, benchmark):
    if method.startswith("usual"):
        return decide_usual(options, baseline, contender, benchmark,
                            int(method.removeprefix("usual")))
    return decide_ours(options, baseline, contender, benchmark, method)


# --- Which trial next -------------------------------------------------------

def planted_cells():
    """(suite, benchmark, effect, weight) of every planted pair. Those that
    every neighbour disturbs take long: they come up a quarter as often."""
    return [("planted", kernel, effect, EFFECT_WEIGHT[effect] *
             (1 if kernel in tables.CACHE_SIZED_KERNELS else 4))
            for effect in UNITS for kernel in KERNELS]


def unlike_cells(names):
    return [("unlike", name, None, 2) for name in names]


def next_cell(cells, done):
    """The cell least done for its weight; ties by chance. The half lets heavy
    cells come first, so that a short record is balanced too."""
    def shares(cell):
        return (done.get(cell[:3], 0) + 0.5) / cell[3]
    lowest = min(map(shares, cells))
    return random.choice([cell for cell in cells if shares(cell) == lowest])


def block_methods(options, cell, trials):
    """Methods of one block, in random order: `auto` and the usual practice
    always, and the one explicit mode that had the least time of such cells."""
    suite, _, effect = cell[:3]
    modes = [mode for mode in MODES if mode in options.methods]
    spent = {mode: 0.0 for mode in modes}
    for trial in trials:
        if (trial["suite"], trial["effect"]) == (suite, effect) and (
                trial["method"] in spent):
            spent[trial["method"]] += trial["seconds"]
    methods = [method for method in options.methods if method not in MODES]
    if suite == "unlike":
        methods = [method for method in methods if method != "usual20"]
    if modes:
        least = min(spent.values())
        methods.append(random.choice(
            [mode for mode in modes if spent[mode] == least]))
    random.shuffle(methods)
    return methods


def tool_id(program):
    return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:12]


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(
        timespec="seconds")


# --- run --------------------------------------------------------------------

def plant_pair(options, cell, flipped, folder):
    """Baseline and contender of a cell: files that always differ."""
    suite, _, effect = cell[:3]
    baseline = os.path.join(folder, "baseline")
    contender = os.path.join(folder, "contender")
    if suite == "planted":
        plant(options.kernels, BASE_UNITS, 1, baseline)
        plant(options.kernels, UNITS[effect], 2, contender)
    else:
        plant(options.pairs, int(flipped), 1, baseline)
        plant(options.pairs, int(not flipped), 2, contender)
    return baseline, contender


def children_cpu():
    """CPU seconds of all processes waited for so far."""
    times = os.times()
    return times.children_user + times.children_system


def run_trial(options, cell, method, flipped, block):
    """One live decision as a record."""
    suite, benchmark, effect = cell[:3]
    with tempfile.TemporaryDirectory() as folder:
        baseline, contender = plant_pair(options, cell, flipped, folder)
        load = os.getloadavg()[0]
        start, cpu = time.monotonic(), children_cpu()
        result = decide(options, method, baseline, contender, benchmark)
        seconds, cpu = time.monotonic() - start, children_cpu() - cpu
    return {
        "suite": suite, "benchmark": benchmark, "effect": effect,
        "method": method, "flipped": flipped, "block": block,
        "seconds": round(seconds, 3), "cpu": round(cpu, 3),
        "load": round(load, 2),
        "time": now(),
        "tool": options.tool, **result,
    }


def tell(trial):
    effect = "" if trial["effect"] is None else f" {trial['effect']:g} %"
    print(f"{trial['time'][11:19]} {trial['benchmark']}{effect} "
          f"{trial['method']}: {trial['decision']} in {trial['seconds']:.1f} s"
          f" (load {trial['load']:.1f})", flush=True)


def counted(tools, trials):
    """Trials of these bench_compares; the usual practice's whatever it was."""
    return [trial for trial in trials if trial["tool"] in tools
            or trial["method"].startswith("usual")]


def blocks_done(trials):
    done = {}
    for key, block in {((t["suite"], t["benchmark"], t["effect"]), t["block"])
                       for t in trials if not t["method"].startswith("usual")}:
        done[key] = done.get(key, 0) + 1
    return done


def run(options):
    options.tool = tool_id(options.bench_compare)
    end = time.monotonic() + 60 * options.minutes
    cells = planted_cells() if options.suite != "unlike" else []
    if options.suite != "planted":
        cells += unlike_cells(pair_names(options.pairs))
    while time.monotonic() < end:
        trials = counted([options.tool], read_trials(options.results))
        cell = next_cell(cells, blocks_done(trials))
        flipped = cell[0] == "unlike" and random.random() < 0.5
        block = f"{time.time_ns():x}"
        for method in block_methods(options, cell, trials):
            if time.monotonic() >= end:
                break
            trial = run_trial(options, cell, method, flipped, block)
            append_trial(options.results, trial)
            tell(trial)


def pair_names(program):
    listed = subprocess.run([program, "--benchmark_list_tests"], check=True,
                            capture_output=True, text=True)
    return listed.stdout.split()


# --- truth ------------------------------------------------------------------

def median_interval(values, level=0.95):
    """Distribution-free interval of the median from order statistics: the
    narrowest symmetric one of at least `level` (binomial, p = 1/2)."""
    ordered = sorted(values)
    n = len(ordered)
    tail, rank = 0.0, 0
    while rank < n // 2:
        tail += math.comb(n, rank) / 2**n
        if 2 * tail > 1 - level:
            break
        rank += 1
    if rank == 0:
        return None
    return ordered[rank - 1], ordered[n - rank]


def truth_round(options, name, ways):
    """ln(first way / second way) of one round, order by the coin."""
    times = {}
    for way in random.sample((0, 1), 2):
        times[way] = statistics.median(run_benchmark(
            ways[way], name, options.repetitions, options.min_time,
            cpu=options.cpu))
    return math.log(times[0] / times[1])


def truth_of(logs):
    low, high = median_interval(logs) or (None, None)
    return {
        "log_ratio": statistics.median(logs), "low": low, "high": high,
        "rounds": len(logs),
    }


def truth(options):
    """Round robin over the pairs, once and until the minutes are used; the
    file is whole after every turn."""
    end = time.monotonic() + 60 * options.minutes
    logs = {name: [] for name in pair_names(options.pairs)}
    loads = []
    with tempfile.TemporaryDirectory() as folder:
        ways = [os.path.join(folder, "first"), os.path.join(folder, "second")]
        for way in (0, 1):
            plant(options.pairs, way, way, ways[way])
        while not loads or time.monotonic() < end:
            loads.append(os.getloadavg()[0])
            for name, values in logs.items():
                values.append(truth_round(options, name, ways))
            write_truth(options.truth, logs, loads)


def write_truth(path, logs, loads):
    result = {
        "how": "decision_quality.py truth: visits of the two ways in random "
               "order, pinned to one CPU, each 5 repetitions of 0.04 s; "
               "ln(median cpu_time of the first way / of the second): median "
               "over the rounds with its 95 % order-statistics interval",
        "written": now(),
        "load": {"median": statistics.median(loads), "least": min(loads),
                 "most": max(loads)},
        "pairs": {name: truth_of(values) for name, values in logs.items()},
    }
    whole = f"{path}.new"
    pathlib.Path(whole).write_text(json.dumps(result, indent=1) + "\n")
    os.replace(whole, path)


# --- plant-check ------------------------------------------------------------

def instructions(program, kernel, steps):
    """Instructions of a whole run of `steps` iterations, under callgrind."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         program, "--steps", kernel, str(steps)],
        capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def instructions_per_iteration(program, kernel):
    """Set-up cancels in the difference of two lengths."""
    few, many = 10, 110
    return (instructions(program, kernel, many) -
            instructions(program, kernel, few)) / (many - few)


def timed_ratio(program, kernel, units, rounds=9, count=100):
    """Contender / baseline time of alternating batches in one process; median
    over `rounds` processes."""
    ratios = []
    for _ in range(rounds):
        done = subprocess.run(
            [program, "--interleave", kernel, str(BASE_UNITS), str(units),
             str(count)], capture_output=True, text=True, check=True)
        baseline, contender = map(int, done.stdout.split())
        ratios.append(contender / baseline)
    return statistics.median(ratios)


def plant_check(options):
    """Planted, counted and timed reduction of every kernel, in per cent."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        counts = {}
        for effect, units in UNITS.items():
            program = os.path.join(folder, f"planted{units}")
            plant(options.kernels, units, 0, program)
            for kernel in KERNELS:
                counts[kernel, effect] = instructions_per_iteration(
                    program, kernel)
        for kernel in KERNELS:
            for effect, units in UNITS.items():
                fewer = 1 - counts[kernel, effect] / counts[kernel, 0.0]
                faster = 1 - timed_ratio(options.kernels, kernel, units)
                rows.append([kernel, f"{effect:g} %",
                             f"{counts[kernel, effect]:,.0f}",
                             f"{100 * fewer:.3f} %", f"{100 * faster:.2f} %"])
    print(tables.markdown(["kernel", "planted", "instructions an iteration",
                           "fewer instructions", "less time"], rows))


# --- Command line -----------------------------------------------------------

def summary(options):
    trials = read_trials(options.results)
    if options.tool:
        trials = counted(options.tool, trials)
    pairs = {}
    if os.path.exists(options.truth):
        pairs = json.loads(pathlib.Path(options.truth).read_text())["pairs"]
    if options.csv:
        write_csv(options.csv, trials)
    print(tables.report(trials, pairs))


def parser():
    here = pathlib.Path(__file__).resolve().parent
    top = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    verbs = top.add_subparsers(dest="verb", required=True)

    def verb(name, function, *, programs=(), results=False, minutes=None):
        one = verbs.add_parser(name)
        one.set_defaults(function=function)
        for program in programs:
            one.add_argument(f"--{program}", required=True,
                             type=lambda path: os.path.abspath(path))
        if results:
            one.add_argument("--results", required=True,
                             help="JSONL file of the trials; summary also "
                                  "reads the CSV that it writes")
        if minutes:
            one.add_argument("--minutes", type=float, default=minutes)
        one.add_argument("--truth", default=str(here / "truth.json"))
        return one

    live = verb("run", run, programs=("bench-compare", "kernels", "pairs"),
                results=True, minutes=30)
    live.add_argument("--suite", default="all",
                      choices=("all", "planted", "unlike"))
    live.add_argument("--methods", nargs="+",
                      default=["auto", "usual10", "usual20", *MODES])
    live.add_argument("--budget", type=float, default=60,
                      help="seconds that one bench_compare run may measure")
    live.add_argument("--min-time", type=float, default=0.05,
                      help="seconds of a repetition of the usual practice")
    told = verb("summary", summary, results=True)
    told.add_argument("--tool", nargs="+",
                      help="only trials of bench_compares with these hashes")
    told.add_argument("--csv", help="also write the trials to this file")
    long_run = verb("truth", truth, programs=("pairs",), minutes=10)
    long_run.add_argument("--cpu", type=int, default=0)
    long_run.set_defaults(repetitions=5, min_time=0.04)
    verb("plant-check", plant_check, programs=("kernels",))
    return top


def main():
    options = parser().parse_args()
    options.function(options)


if __name__ == "__main__":
    sys.exit(main())

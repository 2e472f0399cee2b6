#!/usr/bin/env python3
"""What bench_compare costs on large and on small result files.

Usage: compare_cost.py BENCH_COMPARE [ROWS]

Writes two files of ROWS rows (200,000), ten repetitions a benchmark, and prints
the CPU time of reading them alone (a filter that selects nothing), of judging
too (--quiet) and of printing the whole table, the peak memory, and the CPU time
of a start on two small files. The least of several runs each: a busy machine
only adds.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

REPETITIONS = 10
HEAD = '{\n  "context": {"num_cpus": 8},\n  "benchmarks": [\n'
ROW = """    {{
      "name": "{name}",
      "family_index": {number},
      "per_family_instance_index": 0,
      "run_name": "{name}",
      "run_type": "iteration",
      "repetitions": 10,
      "repetition_index": {index},
      "threads": 1,
      "iterations": 100000,
      "real_time": {real:.16e},
      "cpu_time": {cpu:.16e},
      "time_unit": "ns",
      "items_per_second": {rate:.16e}
    }}"""


def row(index, side):
    """The text of one row; times differ by side and repetition."""
    number = index // REPETITIONS
    time = 1000.0 + (index * 7919 + side * 104729) % 1009 / 7.0
    return ROW.format(
        name=f"BM_Container<std::map<int, Value>>/{number}/min_time:0.010",
        number=number, index=index % REPETITIONS, real=time,
        cpu=time * 0.99, rate=1e9 / time)


def write(path, rows, side):
    """Writes a file of Google Benchmark 1.7's form; returns its size."""
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for index in range(rows):
            file.write(("" if index == 0 else ",\n") + row(index, side))
        file.write("\n  ]\n}\n")
    return path.stat().st_size


def least_cost(command, runs):
    """(CPU seconds, peak memory in bytes), the least of `runs` runs."""
    costs = []
    for _ in range(runs):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        costs.append((usage.ru_utime + usage.ru_stime,
                      usage.ru_maxrss * 1024))
    return min(cpu for cpu, _ in costs), min(peak for _, peak in costs)


def main():
    program = sys.argv[1]
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("old", "new")]
        size = sum(write(path, rows, side) for side, path in enumerate(paths))
        files = [str(path) for path in paths]
        read, _ = least_cost([program, "--filter=^$", *files], 5)
        judge, _ = least_cost([program, "--quiet", *files], 5)
        whole, peak = least_cost([program, *files], 5)
        for side, path in enumerate(paths):
            write(path, 2 * REPETITIONS, side)
        start, _ = least_cost([program, *files], 100)
    print(f"two files of {rows} rows, {size / 1e6:.0f} MB in all")
    print(f"reading alone   {read:.2f} s of CPU")
    print(f"and judging     {judge:.2f} s of CPU, {judge / read:.2f} times")
    print(f"and printing    {whole:.2f} s of CPU, {whole / read:.2f} times")
    print(f"peak memory     {peak / 1e6:.0f} MB, {peak / size:.2f} times")
    print(f"small files     {1e3 * start:.1f} ms of CPU")


if __name__ == "__main__":
    main()

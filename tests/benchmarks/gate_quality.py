#!/usr/bin/env python3
"""What `bench_compare gate --base-ref` says of changes whose effect is known.

Usage: gate_quality.py BENCH_COMPARE [NO_OP_COMMITS [BUDGET]]

Makes a small C++ repository in a temporary folder, commits changes that do
nothing to the benchmark (20 unless given) and ones that make one benchmark slower
by 2, 5 and 10 %, and gates each against its parent for BUDGET (30s). Prints a row a
commit and the numbers of false and true alarms; never fails on time.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(work CXX)
find_package(benchmark REQUIRED)
add_executable(bench bench.cc work.cc)
target_link_libraries(bench benchmark::benchmark)
"""
BENCH = """#include <benchmark/benchmark.h>
unsigned Chain(unsigned n);
unsigned Other(unsigned n);
void BM_Chain(benchmark::State& s) {
  for (auto _ : s) benchmark::DoNotOptimize(Chain(1000));
}
BENCHMARK(BM_Chain);
void BM_Other(benchmark::State& s) {
  for (auto _ : s) benchmark::DoNotOptimize(Other(700));
}
BENCHMARK(BM_Other);
BENCHMARK_MAIN();
"""
WORK = """// change {number}
static unsigned unused_{number}(unsigned n) {{ return n * {number}u; }}
unsigned Chain(unsigned n) {{
  unsigned s = 1;
  if (n == {number}u + 100000u) return unused_{number}(n);
  for (unsigned i = 0; i < n + n * {slower}u / 100u; ++i) {{
    s = s * 1664525u + 1013904223u;
    asm volatile("" : : "r"(s));
  }}
  return s;
}}
unsigned Other(unsigned n) {{
  unsigned s = 1;
  for (unsigned i = 0; i < n; ++i) {{
    s = s * 22695477u + 1u;
    asm volatile("" : : "r"(s));
  }}
  return s;
}}
"""
POLICY = """[policy]
kind = "gate"
default_margin = "1%"
[gate]
self_checks = 0
[[program]]
name = "bench"
command = ["{build}/bench"]
"""


class Repository:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.number = 0
        self.git("init", "-q", "-b", "main", ".")
        for name, text in [("CMakeLists.txt", CMAKE), ("bench.cc", BENCH),
                           (".bench_compare.toml", POLICY)]:
            (self.folder / name).write_text(text)
        self.commit(0)

    def git(self, *arguments):
        subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org",
             *arguments], cwd=self.folder, check=True)

    def commit(self, slower):
        self.number += 1
        (self.folder / "work.cc").write_text(
            WORK.format(number=self.number, slower=slower))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"change {self.number}, {slower} %")


def gate(program, repository, budget):
    started = time.monotonic()
    run = subprocess.run(
        [program, "gate", "--base-ref", "HEAD~1", "--budget", budget, "--json",
         "--quiet"], cwd=repository.folder, capture_output=True, text=True)
    seconds = time.monotonic() - started
    answer = json.loads(run.stdout)
    return run.returncode, answer.get("reason", run.stdout), seconds


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    budget = sys.argv[3] if len(sys.argv) > 3 else "30s"
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(folder)
        codes = []
        for _ in range(count):
            repository.commit(0)
            code, reason, seconds = gate(program, repository, budget)
            codes.append(code)
            print(f"no-op    exit {code}  {seconds:5.1f} s  {reason}", flush=True)
        found = {}
        for slower in (2, 5, 10):
            repository.commit(0)
            repository.commit(slower)
            found[slower] = gate(program, repository, budget)
            code, reason, seconds = found[slower]
            print(f"+{slower:2d} %    exit {code}  {seconds:5.1f} s  {reason}",
                  flush=True)
    print(f"no-op: {codes.count(0)} pass, {codes.count(1)} false alarms, "
          f"{codes.count(3)} undecided, of {count}; found: " + ", ".join(
              f"{slower} % {'yes' if code == 1 else 'no'}"
              for slower, (code, _, _) in found.items()))


if __name__ == "__main__":
    main()

#!/usr/bin/env bash
# The include check must find each kind of forbidden include, and pass the tree.
# Usage: check_includes_test.sh CHECKER SOURCE_ROOT
set -euo pipefail
checker=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() {  # FILE INCLUDE_LINE EXPECTED_TEXT
  mkdir -p "$folder/$(dirname "$1")"
  printf '%s\n' "$2" >"$folder/$1"
  if found=$(python3 "$checker" "$folder"); then
    echo "not found: $1: $2" && exit 1
  fi
  [ "$found" = "$3" ] || { echo "expected: $3"; echo "got: $found"; exit 1; }
  rm "$folder/$1"
}

expect comparator/results/a.cc '#include "tools/system/clock.h"' \
  'comparator/results/a.cc:1: tools/system/clock.h: comparator/results may not include tools/system'
expect comparator/statistics/a.cc '#include "comparator/policy/policy.h"' \
  'comparator/statistics/a.cc:1: comparator/policy/policy.h: comparator/statistics may not include comparator/policy'
expect comparator/judge/a.cc '#include <fstream>' \
  'comparator/judge/a.cc:1: fstream: comparator is pure: no file, clock, environment or stream'
expect comparator/judge/a.cc '#include "absl/time/clock.h"' \
  'comparator/judge/a.cc:1: absl/time/clock.h: comparator is pure: no file, clock, environment or stream'
expect tools/git/a.cc '#include "comparator/policy/policy.h"' \
  'tools/git/a.cc:1: comparator/policy/policy.h: tools/git may not include comparator/policy'
expect tools/autotune/task/a.cc '#include "tools/autotune/verbs/init.h"' \
  'tools/autotune/task/a.cc:1: tools/autotune/verbs/init.h: tools/autotune/task may not include tools/autotune/verbs'
expect tools/report/a.h '# include <nlohmann/json.hpp>' \
  'tools/report/a.h:1: nlohmann/json.hpp: heavy library in a header; include it in the .cc'
expect tools/measure/a.cc '#include <benchmark/benchmark.h>' \
  'tools/measure/a.cc:1: benchmark/benchmark.h: only reporter and benchmark_ext know Google Benchmark'
expect reporter/a.cc '#include "benchmark_ext/main.h"' \
  'reporter/a.cc:1: benchmark_ext/main.h: reporter may not include benchmark_ext'

python3 "$checker" "$root"

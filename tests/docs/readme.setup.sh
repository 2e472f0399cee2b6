# What the README takes for granted: a project in git with its benchmark, two
# builds of another one, two recorded files of it.
export CXX=${CXX:-c++}

write_program() {  # NAME UNITS: a benchmark of so much work
  mkdir -p "$(dirname "$1")"
  cat >"$1.cc" <<END
#include <benchmark/benchmark.h>
static void BM_Parse(benchmark::State& state) {
  for (auto _ : state) {
    for (unsigned i = 0; i < $2; ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(BM_Parse)->Arg(1);
BENCHMARK_MAIN();
END
  "$CXX" -O1 -o "$1" "$1.cc" -lbenchmark -lpthread
}

mkdir -p src bench tests
cat >src/units.h <<'END'
inline unsigned Units() { return 20000; }
END
cat >bench/wordcount_benchmark.cc <<'END'
#include <benchmark/benchmark.h>

#include "units.h"

static void BM_Tokenize(benchmark::State& state) {
  for (auto _ : state) {
    for (unsigned i = 0; i < Units(); ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(BM_Tokenize)->Arg(1);
BENCHMARK_MAIN();
END
cat >tests/units_test.cc <<'END'
#include "units.h"

int main() { return Units() > 0 ? 0 : 1; }
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(wordcount LANGUAGES CXX)
find_package(benchmark REQUIRED)
include_directories(src)
add_executable(wordcount_benchmark bench/wordcount_benchmark.cc)
target_link_libraries(wordcount_benchmark benchmark::benchmark)
enable_testing()
add_executable(units_test tests/units_test.cc)
add_test(NAME units_test COMMAND units_test)
END
git init -q -b main
git add -A
git commit -q -m "wordcount: units of work"

write_program old/bench 40000
write_program new/bench 20000
old/bench --benchmark_out=old.json >/dev/null 2>&1
new/bench --benchmark_out=new.json >/dev/null 2>&1

# A decision is no failure of the command.
bench_compare() { command bench_compare "$@" || [ $? -le 3 ]; }

# The edit that the README leaves to its reader.
autotune() {
  command autotune "$@" || return
  if [ "$1" = start ]; then
    local worktree
    worktree=$(git worktree list --porcelain | sed -n 's/^worktree //p' | tail -1)
    sed -i 's/20000/10000/' "$worktree/src/units.h"
    git -C "$worktree" commit -q -a -m "less work"
  fi
}

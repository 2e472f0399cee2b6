#include "reporter/result_row.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace autotune::internal {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using LibraryRun = benchmark::BenchmarkReporter::Run;

// A run as the library hands it over, every field set.
LibraryRun MakeRun() {
  LibraryRun run;
  run.run_name.function_name = "BM_Parse";
  run.run_name.args = "64";
  run.family_index = 2;
  run.per_family_instance_index = 1;
  run.run_type = LibraryRun::RT_Iteration;
  run.iterations = 1000;
  run.threads = 1;
  run.repetition_index = 3;
  run.repetitions = 5;
  run.time_unit = benchmark::kMicrosecond;
  run.real_accumulated_time = 0.125;
  run.cpu_accumulated_time = 0.0625;
  run.statistics = nullptr;
  return run;
}

// What the library's own JSON reporter writes for `run`.
std::string LibraryRow(const LibraryRun& run) {
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.ReportRuns({run});
  return out.str();
}

std::string OurRow(const LibraryRun& run) {
  RowNotes notes;
  const std::string row = "    " + RowJson({run}, 0, notes);
  EXPECT_TRUE(notes.non_finite.empty());
  EXPECT_TRUE(notes.renamed.empty());
  return row;
}

TEST(ResultRowTest, IsTheLibrarysTextForAnIteration) {
  LibraryRun run = MakeRun();
  run.counters["items_per_second"] = 1e6;
  run.counters["section/parse"] = 0.1;
  run.report_label = "tab\t\"quoted\" back\\slash ü";
  EXPECT_EQ(OurRow(run), LibraryRow(run));
}

TEST(ResultRowTest, IsTheLibrarysTextForAggregates) {
  LibraryRun run = MakeRun();
  run.run_type = LibraryRun::RT_Aggregate;
  run.aggregate_name = "mean";
  EXPECT_EQ(OurRow(run), LibraryRow(run));
  run.aggregate_name = "cv";
  run.aggregate_unit = benchmark::kPercentage;
  EXPECT_EQ(OurRow(run), LibraryRow(run));
}

TEST(ResultRowTest, IsTheLibrarysTextForFitsOfEveryComplexity) {
  LibraryRun run = MakeRun();
  run.run_type = LibraryRun::RT_Aggregate;
  run.aggregate_name = "BigO";
  run.report_big_o = true;
  for (const benchmark::BigO complexity :
       {benchmark::o1, benchmark::oN, benchmark::oNSquared, benchmark::oNCubed,
        benchmark::oLogN, benchmark::oNLogN, benchmark::oLambda}) {
    run.complexity = complexity;
    EXPECT_EQ(OurRow(run), LibraryRow(run));
  }
  run.report_big_o = false;
  run.report_rms = true;
  run.aggregate_name = "RMS";
  EXPECT_EQ(OurRow(run), LibraryRow(run));
}

TEST(ResultRowTest, IsTheLibrarysTextForTimesAndCountersOfAnySize) {
  std::mt19937_64 random(20240601);
  std::uniform_real_distribution<double> exponent(-300, 300);
  std::uniform_int_distribution<int> small(0, 1000);
  for (int i = 0; i < 500; ++i) {
    LibraryRun run = MakeRun();
    run.real_accumulated_time = std::pow(10.0, exponent(random) / 2);
    run.cpu_accumulated_time = std::pow(10.0, exponent(random) / 2);
    run.iterations = small(random) + 1;
    run.threads = small(random);
    run.family_index = small(random);
    run.time_unit = static_cast<benchmark::TimeUnit>(small(random) % 4);
    for (int c = small(random) % 4; c > 0; --c) {
      run.counters["counter " + std::to_string(small(random))] =
          std::pow(10.0, exponent(random)) * (c % 2 == 0 ? 1 : -1);
    }
    ASSERT_EQ(OurRow(run), LibraryRow(run));
  }
}

TEST(ResultRowTest, ListsWhatIsNotFiniteAndWritesNull) {
  LibraryRun run = MakeRun();
  run.counters["hits"] = std::nan("");
  run.counters["low"] = -std::numeric_limits<double>::infinity();
  run.real_accumulated_time = std::numeric_limits<double>::infinity();
  RowNotes notes;
  const json row = json::parse(RowJson({run}, 0, notes));
  EXPECT_TRUE(row["hits"].is_null());
  EXPECT_TRUE(row["low"].is_null());
  EXPECT_TRUE(row["real_time"].is_null());
  ASSERT_EQ(notes.non_finite.size(), 3u);
  EXPECT_EQ(notes.non_finite[0].row, "BM_Parse/64");
  EXPECT_EQ(notes.non_finite[0].field, "real_time");
  EXPECT_EQ(notes.non_finite[0].value, "Infinity");
  EXPECT_EQ(notes.non_finite[1].value, "NaN");
  EXPECT_EQ(notes.non_finite[2].value, "-Infinity");
}

// Keys of one JSON object in order, also repeated ones.
std::vector<std::string> Keys(const std::string& object) {
  std::vector<std::string> keys;
  const std::regex key("\n *\"([^\"]*)\": ");
  for (std::sregex_iterator it(object.begin(), object.end(), key), end;
       it != end; ++it) {
    keys.push_back((*it)[1]);
  }
  return keys;
}

TEST(ResultRowTest, RenamesACounterThatIsCalledLikeAField) {
  LibraryRun run = MakeRun();
  run.counters["iterations"] = 7;
  run.counters["label"] = 8;
  run.counters["label_counter"] = 9;
  RowNotes notes;
  const std::string text = RowJson({run}, 0, notes);
  const json row = json::parse(text);
  EXPECT_EQ(row["iterations"], 1000);
  EXPECT_EQ(row["iterations_counter"], 7);
  EXPECT_EQ(row["label_counter_counter"], 8);
  EXPECT_EQ(row["label_counter"], 9);
  EXPECT_EQ(Keys(text).size(), row.size());
  ASSERT_EQ(notes.renamed.size(), 2u);
  EXPECT_EQ(notes.renamed[0].row, "BM_Parse/64");
  EXPECT_EQ(notes.renamed[0].name, "iterations");
  EXPECT_EQ(notes.renamed[0].key, "iterations_counter");
}

TEST(ResultRowTest, KeepsCountersApartWhoseNamesEscapeToTheSameText) {
  LibraryRun run = MakeRun();
  run.counters["\xc3\xa9"] = 1;  // é
  run.counters["\xe9"] = 2;      // the byte of the same number
  RowNotes notes;
  const json row = json::parse(RowJson({run}, 0, notes));
  EXPECT_EQ(row["\xc3\xa9"], 1);
  EXPECT_EQ(row["\xc3\xa9_counter"], 2);
}

// Any text up to 12 bytes, mostly of the bytes that make trouble.
std::string AnyText(std::mt19937_64& random) {
  static const std::string kNasty(
      "\0\x01\x1b\x7f\"\\/\n\r\t\xc3\xa9\xe9\xff\xed\xa0", 16);
  std::string text;
  for (auto length = random() % 13; length > 0; --length) {
    text += random() % 3 == 0 ? static_cast<char>(random() % 256)
                              : kNasty[random() % kNasty.size()];
  }
  return text;
}

TEST(ResultRowTest, IsStrictJsonWithoutRepeatedKeysWhateverTheTexts) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    LibraryRun run = MakeRun();
    run.run_name.function_name = AnyText(random);
    run.run_name.args = AnyText(random);
    run.aggregate_name = AnyText(random);
    run.report_label = AnyText(random);
    if (i % 2 == 0) run.run_type = LibraryRun::RT_Aggregate;
    for (int c = 0; c < 4; ++c) run.counters[AnyText(random)] = c;
    RowNotes notes;
    const std::string text = RowJson({run}, 0, notes);
    std::set<std::string> keys;
    std::size_t members = 0;
    const json row = json::parse(
        text, [&](int depth, json::parse_event_t event, json& value) {
          if (event == json::parse_event_t::key && depth == 1) {
            ++members;
            keys.insert(value.get<std::string>());
          }
          return true;
        });
    ASSERT_TRUE(row.is_object()) << text;
    ASSERT_EQ(keys.size(), members) << text;
  }
}

TEST(ResultRowTest, MemoryNamesAreTheUsersWithoutAMemoryManager) {
  LibraryRun run = MakeRun();
  run.counters["allocs_per_iter"] = 3;
  EXPECT_EQ(OurRow(run), LibraryRow(run));
}

// Up to 1.9.1 runs point at their figures, later they hold them; a test that
// needs the pointers is compiled where there are some.
template <typename Run>
void ExpectFiguresOnlyWhereTheyStillAre(Run first, Run last) {
  if constexpr (std::is_pointer_v<decltype(first.memory_result)>) {
    // The constructor needs a symbol that not every build of the library shows.
    using Result = benchmark::MemoryManager::Result;
    alignas(Result) unsigned char storage[2 * sizeof(Result)] = {};
    auto* now = reinterpret_cast<Result*>(storage);
    now[0].max_bytes_used = 100;
    now[1].max_bytes_used = 200;
    RowNotes notes;
    first.memory_result = &now[0];
    last.memory_result = &now[1];
    EXPECT_EQ(json::parse(RowJson({first, last}, 0, notes))["max_bytes_used"],
              100);
    EXPECT_TRUE(notes.lost.empty());
    // An element of a vector that has moved: not to be looked at.
    first.memory_result =
        reinterpret_cast<decltype(first.memory_result)>(std::uintptr_t{8});
    const json row = json::parse(RowJson({first, last}, 0, notes));
    EXPECT_FALSE(row.contains("max_bytes_used"));
    EXPECT_TRUE(row.contains("allocs_per_iter"));
    ASSERT_EQ(notes.lost.size(), 1u);
    EXPECT_EQ(notes.lost[0].row, "BM_Parse/64");
    EXPECT_EQ(notes.lost[0].field, "max_bytes_used");
    EXPECT_EQ(json::parse(RowJson({first, last}, 1, notes))["max_bytes_used"],
              200);
    // Without the last repetition's nobody knows where they are.
    last.memory_result = nullptr;
    RowJson({first, last}, 0, notes);
    EXPECT_EQ(notes.lost.size(), 2u);
  }
}

TEST(ResultRowTest, FollowsNoPointerTheLibraryLeftDangling) {
  ExpectFiguresOnlyWhereTheyStillAre(MakeRun(), MakeRun());
}

benchmark::BenchmarkReporter::Context MakeContext() {
  return benchmark::BenchmarkReporter::Context();
}

// The library's context object as it prints it, the date blanked.
std::string LibraryContext(const benchmark::BenchmarkReporter::Context& real) {
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.ReportContext(real);
  return out.str();
}

TEST(ResultContextTest, HasTheLibrarysKeysAndValuesInItsOrder) {
  const auto context = MakeContext();
  RowNotes notes;
  const std::string ours = ContextJson(&context, notes);
  const auto theirs_text = LibraryContext(context) + "]}";
  auto theirs = ordered_json::parse(theirs_text)["context"];
  auto written = ordered_json::parse(ours);
  EXPECT_EQ(written["date"].get<std::string>().size(),
            theirs["date"].get<std::string>().size());
  written["date"] = theirs["date"] = "";
  EXPECT_EQ(written.dump(), theirs.dump());
}

TEST(ResultContextTest, DoesNotFollowTheLocale) {
  class CommaPoint : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto context = MakeContext();
  RowNotes notes;
  const auto plain = json::parse(ContextJson(&context, notes));
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  auto localized = json::parse(ContextJson(&context, notes));
  std::locale::global(before);
  EXPECT_EQ(localized["load_avg"], plain["load_avg"]);
  EXPECT_EQ(localized["mhz_per_cpu"], plain["mhz_per_cpu"]);
}

TEST(ResultContextTest, RenamesAnEntryThatIsCalledLikeAField) {
  benchmark::AddCustomContext("date", "mine");
  benchmark::AddCustomContext("commit", "abc");
  const auto context = MakeContext();
  RowNotes notes;
  const std::string text = ContextJson(&context, notes);
  const auto written = json::parse(text);
  EXPECT_EQ(written["date_context"], "mine");
  EXPECT_NE(written["date"], "mine");
  EXPECT_EQ(written["commit"], "abc");
  ASSERT_EQ(notes.renamed.size(), 1u);
  EXPECT_EQ(notes.renamed[0].row, "context");
  EXPECT_EQ(notes.renamed[0].name, "date");
  EXPECT_EQ(notes.renamed[0].key, "date_context");
  benchmark::internal::GetGlobalContext()->clear();
}

TEST(ResultContextTest, KnowsOnlyTheDateAndTheProgramBeforeTheLibrarySpoke) {
  RowNotes notes;
  const auto written = json::parse(ContextJson(nullptr, notes));
  for (const auto& [key, value] : written.items()) {
    EXPECT_TRUE(key == "date" || key == "executable") << key;
  }
  EXPECT_TRUE(written.contains("date"));
}

}  // namespace
}  // namespace autotune::internal

#include "tools/ledger/metric_file.h"

#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "toml++/toml.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr char kSha[] = "7d8fd96780bacfb01f4b51c6e74a6a3c390408e6";

MetricRow Row() {
  MetricRow row;
  row.commit = kSha;
  row.status = AttemptStatus::kKeep;
  row.description = "combine same-word masks";
  row.metrics = {{"BM_Gates/real_time_ns", 81443.0}};
  return row;
}

constexpr char kRowText[] =
    "[[metric]]\n"
    "\"commit\" = \"7d8fd96780bacfb01f4b51c6e74a6a3c390408e6\"\n"
    "\"status\" = \"keep\"\n"
    "\"description\" = \"combine same-word masks\"\n"
    "\"BM_Gates/real_time_ns\" = 81443.0\n\n";

TEST(MetricFileTest, RowIsWrittenAsOtherToolsWriteIt) {
  EXPECT_THAT(FormatMetricRow(Row()), IsOkAndHolds(kRowText));
}

TEST(MetricFileTest, AppendingKeepsEveryByteAndMendsTheFinalNewline) {
  EXPECT_THAT(AppendMetricRow("", Row()), IsOkAndHolds(kRowText));
  EXPECT_THAT(AppendMetricRow("# mine\r\n", Row()),
              IsOkAndHolds(std::string("# mine\r\n") + kRowText));
  EXPECT_THAT(AppendMetricRow("a = 1", Row()),
              IsOkAndHolds(std::string("a = 1\n") + kRowText));
}

TEST(MetricFileTest, ClaimedRowsSaySo) {
  MetricRow row = Row();
  row.claimed = true;
  ASSERT_OK_AND_ASSIGN(const std::string text, FormatMetricRow(row));
  EXPECT_THAT(text, testing::HasSubstr("\"claimed\" = 1\n"));
  const MetricFile file = ParseMetricFile(text, "metric.toml");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_TRUE(file.rows[0].claimed);
  EXPECT_THAT(file.rows[0].metrics,
              ElementsAre(Pair("BM_Gates/real_time_ns", 81443.0)));
}

TEST(MetricFileTest, CrashRowsMayHaveNoMetricAndNoCommit) {
  MetricRow row;
  row.status = AttemptStatus::kCrash;
  EXPECT_THAT(FormatMetricRow(row),
              IsOkAndHolds("[[metric]]\n\"commit\" = \"\"\n\"status\" = "
                           "\"crash\"\n\"description\" = \"\"\n\n"));
}

TEST(MetricFileTest, EveryDescriptionIsValidToml) {
  for (const std::string& text :
       {std::string("\"quoted\" \\ $(x)\n[[metric]]\nstatus = 'keep'\r\t\x7F"),
        std::string("\xF0\x9F\x98\x80 \xFF\xED\xA0\x80"),
        std::string("\0\x01", 2), std::string(10000, '"'), std::string("--")}) {
    MetricRow row = Row();
    row.description = text;
    row.metrics.emplace_back("weird \"name\"\n\xFF", 1e-300);
    ASSERT_OK_AND_ASSIGN(const std::string written, FormatMetricRow(row));
    const toml::table table = toml::parse(written);
    EXPECT_EQ(table["metric"].as_array()->size(), 1U);
    const MetricFile file = ParseMetricFile(written, "metric.toml");
    EXPECT_THAT(file.warnings, IsEmpty());
    ASSERT_EQ(file.rows.size(), 1U);
    EXPECT_EQ(file.rows[0].description,
              table["metric"][0]["description"].value_or(std::string()));
    EXPECT_EQ(file.rows[0].metrics.back().second, 1e-300);
  }
}

struct BadRow {
  MetricRow row;
  std::string error;
};

std::vector<BadRow> BadRows() {
  const auto with = [](std::string name, double value) {
    MetricRow row = Row();
    row.metrics.emplace_back(std::move(name), value);
    return row;
  };
  MetricRow status = Row();
  status.status = AttemptStatus::kViolation;
  MetricRow none = Row();
  none.status.reset();
  MetricRow commit = Row();
  commit.commit = "7d8fd967";
  const double infinity = std::numeric_limits<double>::infinity();
  return {
      {status,
       "status: expected \"keep\", \"discard\" or \"crash\", got "
       "\"violation\""},
      {none, "status: expected \"keep\", \"discard\" or \"crash\", got none"},
      {commit, "commit: expected a full commit name, got \"7d8fd967\""},
      {with("x", infinity), "metric \"x\": expected a finite number"},
      {with("x", infinity - infinity),
       "metric \"x\": expected a finite number"},
      {with("status", 1),
       "metric \"status\": this key is reserved for the row "
       "itself"},
      {with("claimed", 1),
       "metric \"claimed\": this key is reserved for the "
       "row itself"},
      {with("BM_Gates/real_time_ns", 1),
       "metric \"BM_Gates/real_time_ns\": stands twice in one row"},
  };
}

TEST(MetricFileTest, BadRowsAreRefusedAndWriteNothing) {
  for (const BadRow& bad : BadRows()) {
    EXPECT_THAT(AppendMetricRow("kept", bad.row),
                StatusIs(absl::StatusCode::kInvalidArgument, bad.error));
  }
}

TEST(MetricFileTest, NamesThatBecomeEqualWhenMendedAreDuplicates) {
  MetricRow row = Row();
  row.metrics = {{"\xFF", 1}, {"\xFE", 2}};
  EXPECT_THAT(FormatMetricRow(row),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "metric \"\xEF\xBF\xBD\": stands twice in one row"));
}

// One deviation seen in real ledgers and what it is read as:
// "commit|status|description|id|name=value ...", then the warnings.
struct Deviation {
  std::string name;
  std::string text;
  std::vector<std::string> rows;
  std::vector<std::string> warnings = {};
};

std::ostream& operator<<(std::ostream& out, const Deviation& deviation) {
  return out << deviation.name;
}

std::string StatusWord(const MetricRow& row) {
  if (!row.status.has_value()) return "?";
  return std::string(autotune::NameOf(*row.status));
}

std::string Spelled(const MetricRow& row) {
  std::string text = row.commit + "|" + StatusWord(row) + "|" +
                     row.description + "|" + row.id + "|";
  for (const auto& [name, value] : row.metrics) {
    text += name + "=" + std::to_string(value) + " ";
  }
  return text;
}

class MetricDeviationTest : public testing::TestWithParam<Deviation> {};

TEST_P(MetricDeviationTest, IsReadLeniently) {
  const MetricFile file = ParseMetricFile(GetParam().text, "m.toml");
  std::vector<std::string> rows;
  for (const MetricRow& row : file.rows) rows.push_back(Spelled(row));
  EXPECT_EQ(rows, GetParam().rows);
  EXPECT_EQ(file.warnings, GetParam().warnings);
}

std::string NameOf(const testing::TestParamInfo<Deviation>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Known, MetricDeviationTest,
    testing::Values(
        Deviation{"EmptyFile", "", {}},
        Deviation{"OnlyAByteOrderMark", "\xEF\xBB\xBF", {}},
        Deviation{"OnlyAComment", "# only a comment\n", {}},
        Deviation{"BareKeys",
                  "[[metric]]\ncommit = 'abc'\nstatus = \"keep\"\nx = 1.5\n",
                  {"abc|keep|||x=1.500000 "}},
        Deviation{"ResultOutcomeNotesCrlf",
                  "\xEF\xBB\xBF[[result]]\r\noutcome = \"discard\"\r\n"
                  "notes = \"n\"\r\niteration = 12\r\nx = 3\r\n",
                  {"|discard|n|12|x=3.000000 "}},
        Deviation{"BaselineStatusWithoutWords",
                  "[[metric]]\nname = \"a\"\nstatus = \"baseline\"\n",
                  {"|keep|baseline|a|"}},
        Deviation{"BaselineStatusWithWords",
                  "[[metric]]\nstatus=\"baseline\"\ndescription=\"start\"\n",
                  {"|keep|baseline: start||"}},
        Deviation{"BaselineStatusThatSaysSo",
                  "[[metric]]\nstatus=\"baseline\"\n"
                  "description=\"baseline of main\"\n",
                  {"|keep|baseline of main||"}},
        Deviation{"RevertedWithPlaceholderCommit",
                  "[[metric]]\nstatus = \"reverted\"\ncommit = \"pending\"\n",
                  {"pending|discard|||"}},
        Deviation{"UpperCaseStatusShortCommit",
                  "[[metric]]\nstatus = \"KEEP\"\ncommit = \"7d8fd967\"\n",
                  {"7d8fd967|keep|||"}},
        Deviation{"SubTableOfMetrics",
                  "[[result]]\nstatus = \"keep\"\n[result.metrics]\n"
                  "\"BM_a/time\" = 1\nb.c = 2\n[other]\nz = 3\n",
                  {"|keep|||BM_a/time=1.000000 b/c=2.000000 "}},
        Deviation{"InlineTableOfMetrics",
                  "[[metric]]\nstatus = \"keep\"\n"
                  "metrics = { a = 1, \"b c\" = +2_0.5, d = {e = 0x10} }\n",
                  {"|keep|||a=1.000000 b c=20.500000 d/e=16.000000 "}},
        Deviation{"TopLevelKeysAndOtherArrays",
                  "title = \"x\"\nversion = 1\n[[other]]\nstatus = \"keep\"\n"
                  "[[metric]] # here\nstatus = \"keep\" # and here\n# there\n"
                  "[[other]]\nx = 1\n",
                  {"|keep|||"}},
        Deviation{"NestedArrayOfTables",
                  "[[metric]]\nstatus = \"keep\"\n[[metric.samples]]\nx = 1\n"
                  "[metric.metrics]\ny = 2\n",
                  {"|keep|||y=2.000000 "}},
        Deviation{"NoBlankLineNoFinalNewline",
                  "[[metric]]\nstatus = \"keep\"\nx = 1\n[[metric]]\n"
                  "status = \"crash\"\ny = 2",
                  {"|keep|||x=1.000000 ", "|crash|||y=2.000000 "}},
        Deviation{"EscapesAndRawText",
                  "[[metric]]\nstatus = \"keep\"\n"
                  "description = \"\\u00e9 \\ud83d\\ude00 \xC3\xA9\"\n",
                  {"|keep|\xC3\xA9 \xF0\x9F\x98\x80 \xC3\xA9||"}},
        Deviation{"LoneSurrogate",
                  "[[metric]]\nstatus = \"keep\"\ndescription = \"\\ud83d\"\n",
                  {"|keep|\xEF\xBF\xBD||"},
                  {"m.toml:3: a lone surrogate escape became U+FFFD"}},
        Deviation{"ValuesThatAreNoMetric",
                  "[[metric]]\nstatus = \"keep\"\nwhen = 2026-01-02\n"
                  "tags = [\"a\", # c\n [1, 2]]\nflag = true\nx = 1\n",
                  {"|keep|||flag=1.000000 x=1.000000 "}},
        Deviation{
            "NotFinite",
            "[[metric]]\nstatus = \"keep\"\nx = nan\ny = -inf\nz = 1e999\n",
            {"|keep|||"},
            {"m.toml:3: \"x\" is not finite; it is left out",
             "m.toml:4: \"y\" is not finite; it is left out"}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Damaged, MetricDeviationTest,
    testing::Values(
        Deviation{"NoStatus",
                  "[[metric]]\nx = 1\n[[metric]]\nstatus = \"keep\"\n",
                  {"|keep|||"},
                  {"m.toml:1: an entry without a status is left out"}},
        Deviation{"UnknownStatus",
                  "[[metric]]\nstatus = \"great\"\nx = 1\n",
                  {"|?|||x=1.000000 "},
                  {"m.toml:1: status: expected \"keep\", \"discard\" or "
                   "\"crash\", got \"great\""}},
        Deviation{"TornString",
                  "[[metric]]\nstatus = \"keep\"\ndescription = \"torn\n"
                  "x = 1\n[[metric]]\nstatus = \"keep\"\n",
                  {"|keep|||x=1.000000 ", "|keep|||"},
                  {"m.toml:3: expected the string's closing quote; the line is "
                   "left out"}},
        Deviation{"TornStringOverLines",
                  "[[metric]]\nstatus = \"keep\"\ndescription = \"\"\"torn\n"
                  "[[metric]]\nstatus = \"crash\"\ndescription = \"\"\"ok\"\"\""
                  "\n",
                  {"|keep|||", "|crash|ok||"},
                  {"m.toml:3: text after the value; the line is left out"}},
        Deviation{"TornArray",
                  "[[metric]]\nstatus = \"keep\"\ntags = [1,\n[[metric]]\n"
                  "status = \"crash\"\n",
                  {"|keep|||", "|crash|||"},
                  {"m.toml:3: expected the array's ']'; the line is left out"}},
        Deviation{"KeysTwice",
                  "[[metric]]\nstatus = \"keep\"\nstatus = \"crash\"\nx = 1\n"
                  "x = 2\n",
                  {"|keep|||x=1.000000 "},
                  {"m.toml:3: \"status\" stands twice in one entry; the first "
                   "counts",
                   "m.toml:5: \"x\" stands twice in one entry; the first "
                   "counts"}},
        Deviation{"ForeignLines",
                  "[[metric]\nstatus = \"keep\"\n[[metric]]\n"
                  "status = \"crash\"\n<<<<<<< ours\n=======\nx 1\ny =\n",
                  {"|crash|||"},
                  {"m.toml:1: expected the ']' of a table's name; the line is "
                   "left out",
                   "m.toml:5: expected a key; the line is left out",
                   "m.toml:6: expected a key; the line is left out",
                   "m.toml:7: expected '=' after the key; the line is left out",
                   "m.toml:8: expected a value; the line is left out"}}),
    NameOf);

TEST(MetricFileTest, StringsOverLinesCannotForgeARow) {
  const MetricFile file = ParseMetricFile(
      "[[metric]]\nstatus = \"discard\"\ndescription = \"\"\"\n[[metric]]\n"
      "status = \"keep\"\n\"\"\"\nx = 1\n",
      "m.toml");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].status, AttemptStatus::kDiscard);
  EXPECT_EQ(file.rows[0].description, "[[metric]]\nstatus = \"keep\"\n");
}

TEST(MetricFileTest, StatusesOfHistoryAreNoneOfARow) {
  for (const char* word : {"violation", "inconclusive"}) {
    const MetricFile file = ParseMetricFile(
        absl::StrCat("[[metric]]\nstatus = \"", word, "\"\n"), "m.toml");
    ASSERT_EQ(file.rows.size(), 1U);
    EXPECT_EQ(file.rows[0].status, std::nullopt);
    EXPECT_THAT(file.warnings,
                ElementsAre(absl::StrCat("m.toml:1: status: expected \"keep\", "
                                         "\"discard\" or \"crash\", got \"",
                                         word, "\"")));
  }
}

TEST(MetricFileTest, RowsSayOfEveryStatusKeepDiscardOrCrash) {
  EXPECT_EQ(RowStatus(AttemptStatus::kKeep), AttemptStatus::kKeep);
  EXPECT_EQ(RowStatus(AttemptStatus::kDiscard), AttemptStatus::kDiscard);
  EXPECT_EQ(RowStatus(AttemptStatus::kInconclusive), AttemptStatus::kDiscard);
  EXPECT_EQ(RowStatus(AttemptStatus::kReverted), AttemptStatus::kDiscard);
  EXPECT_EQ(RowStatus(AttemptStatus::kCrash), AttemptStatus::kCrash);
  EXPECT_EQ(RowStatus(AttemptStatus::kViolation), AttemptStatus::kCrash);
}

TEST(MetricFileTest, RowsKnowTheirLine) {
  const MetricFile file = ParseMetricFile(
      "# c\n\n[[metric]]\nstatus='keep'\ntags=[1,\n2]\n\n[[metric]]\n"
      "status='keep'\n",
      "m.toml");
  ASSERT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(file.rows[0].line, 3);
  EXPECT_EQ(file.rows[1].line, 8);
}

TEST(MetricFileTest, BaselinesAreKeepsThatSaySo) {
  MetricRow row = Row();
  EXPECT_FALSE(IsBaseline(row));
  row.description = "baseline 2";
  EXPECT_TRUE(IsBaseline(row));
  row.status = AttemptStatus::kDiscard;
  EXPECT_FALSE(IsBaseline(row));
}

TEST(MetricFileTest, FullShasAreLowerCaseHexOfEitherLength) {
  EXPECT_TRUE(IsFullSha(kSha));
  EXPECT_TRUE(IsFullSha(std::string(64, 'a')));
  EXPECT_FALSE(IsFullSha(std::string(40, 'A')));
  EXPECT_FALSE(IsFullSha(std::string(40, 'g')));
  EXPECT_FALSE(IsFullSha(std::string(39, 'a')));
  EXPECT_FALSE(IsFullSha(""));
}

TEST(MetricFileTest, WhatIsWrittenIsReadBackRowForRow) {
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    MetricRow row = Row();
    row.description = "attempt " + std::to_string(i);
    row.metrics = {{"a", i + 0.25}, {"b/c", i}, {"ratio", 0.5}};
    ASSERT_OK_AND_ASSIGN(const std::string entry, FormatMetricRow(row));
    text += entry;
  }
  const MetricFile file = ParseMetricFile(text, "m.toml");
  ASSERT_EQ(file.rows.size(), 50000U);
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_EQ(file.rows[49999].description, "attempt 49999");
  EXPECT_THAT(file.rows[49999].metrics,
              ElementsAre(Pair("a", 49999.25), Pair("b/c", 49999.0),
                          Pair("ratio", 0.5)));
}

// Quadratic readers would need hours for these, so a hang is a failure.
TEST(MetricFileTest, HostileTextIsReadInLinearTime) {
  for (const char* line :
       {"a = [\n", "a = \"\"\"\n", "a = '''\n", "a = \"\n", "[[metric\n",
        "a = {b = {c = {\n", "[[metric]]\n", "a = [\"\n", "a.\n"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += line;
    EXPECT_THAT(ParseMetricFile(text, "m.toml").rows, IsEmpty());
  }
  std::string nested = "a = ";
  for (int i = 0; i < 100000; ++i) nested += "{b = ";
  EXPECT_THAT(ParseMetricFile(nested, "m.toml").rows, IsEmpty());
}

}  // namespace
}  // namespace autotune

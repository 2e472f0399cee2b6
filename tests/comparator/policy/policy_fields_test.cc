#include "comparator/policy/policy_fields.h"

#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::SizeIs;

std::string ErrorOf(const std::string& text) {
  return std::string(ParsePolicy(text, "p.toml").status().message());
}

absl::Status SetFlag(std::string_view flag, const std::string& text) {
  PolicyFlagValues values;
  if (flag == kGuardFlag.flag) {
    values.guards = {text};
  } else {
    values.texts[flag] = text;
  }
  Policy policy;
  return SetPolicyFlags(values, policy);
}

// A value in range that is not the default.
std::string OtherText(const PolicyFieldOf<Policy>& field) {
  switch (field.form) {
    case ValueForm::kWord:
      return field.words().back();
    case ValueForm::kFraction:
      return "3%";
    case ValueForm::kDuration:
      return "1m30s";
    case ValueForm::kFactor:
    case ValueForm::kCount:
      return "7";
    default:
      return "items_per_second";
  }
}

std::string TomlOf(const PolicyFieldOf<Policy>& field) {
  const bool bare =
      field.form == ValueForm::kFactor || field.form == ValueForm::kCount;
  const std::string quote = bare ? "" : "\"";
  return absl::StrCat(
      "[policy]\n",
      field.key == "direction" ? "metric = \"items_per_second\"\n" : "",
      std::string(field.key), " = ", quote, OtherText(field), quote, "\n");
}

TEST(PolicyFieldsTest, EveryKeyIsReadAndPrintedByItsRow) {
  for (const PolicyFieldOf<Policy>& field : PolicyFields()) {
    ASSERT_OK_AND_ASSIGN(const Policy policy,
                         ParsePolicy(TomlOf(field), "p.toml"));
    EXPECT_NE(ValueIn(field, policy), ValueIn(field, Policy())) << field.key;
    const std::string text = FieldText(field, ValueIn(field, policy).value());
    ASSERT_OK_AND_ASSIGN(const FieldValue again, ParseField(field, text));
    EXPECT_EQ(ValueIn(field, policy), again) << field.key;
  }
}

TEST(PolicyFieldsTest, EveryFlagSaysWhatItsKeySays) {
  EXPECT_THAT(PolicyFlagTable(), SizeIs(PolicyFields().size() - 1));
  for (const PolicyFieldOf<Policy>& field : PolicyFields()) {
    if (field.key == "direction") continue;
    ASSERT_OK_AND_ASSIGN(const Policy file,
                         ParsePolicy(TomlOf(field), "p.toml"));
    PolicyFlagValues values;
    values.texts[field.flag] = OtherText(field);
    Policy policy;
    ASSERT_OK(SetPolicyFlags(values, policy));
    EXPECT_EQ(ValueIn(field, policy), ValueIn(field, file)) << field.flag;
  }
}

TEST(PolicyFieldsTest, MetricFlagSetsTheDirectionToo) {
  PolicyFlagValues values;
  values.texts["--metric"] = "a:b:higher";
  Policy policy;
  ASSERT_OK(SetPolicyFlags(values, policy));
  EXPECT_EQ(policy.metric, "a:b");
  EXPECT_EQ(policy.direction, Direction::kHigherIsBetter);
  values.texts["--metric"] = "a:b";
  ASSERT_OK(SetPolicyFlags(values, policy));
  EXPECT_EQ(policy.metric, "a:b");
  EXPECT_EQ(policy.direction, std::nullopt);
}

TEST(PolicyFieldsTest, GuardFlagTakesTheMarginOfTheOtherFlags) {
  PolicyFlagValues values;
  values.guards = {"BM_A", "BM_B=5%,veto", "metric:peak_rss=0.1"};
  values.texts["--margin"] = "4%";
  Policy policy;
  ASSERT_OK(SetPolicyFlags(values, policy));
  EXPECT_THAT(
      policy.guards,
      testing::ElementsAre(Guard{"BM_A", "", 0.04, GuardMode::kProve},
                           Guard{"BM_B", "", 0.05, GuardMode::kVeto},
                           Guard{"", "peak_rss", 0.1, GuardMode::kProve}));
  EXPECT_EQ(SetFlag("--guard", "metric:=5%").message(),
            "--guard \"metric:=5%\": expected peak_rss, excess_cpu, "
            "binary_size or a counter's name, got \"\"");
  EXPECT_EQ(SetFlag("--guard", "=5%").message(),
            "--guard \"=5%\": expected a regular expression, got \"\"");
}

// A fraction of all tables, in a file that is whole but for its value.
struct FractionPlace {
  std::string expected;
  std::string flag;  // with all but the value; "" for none
  std::string head;  // of the file, up to the line of the value
  std::string path;
  std::string key;
  int line = 2;
};

std::vector<FractionPlace> FractionPlaces() {
  std::vector<FractionPlace> places;
  for (const PolicyFieldOf<Policy>& field : PolicyFields()) {
    if (field.form != ValueForm::kFraction) continue;
    places.push_back({ExpectedOf(field), std::string(field.flag), "[policy]\n",
                      "policy.", std::string(field.key)});
  }
  const auto add = [&](const auto& fields, const std::string& list,
                       const std::string& rest, int line) {
    for (const auto& field : fields) {
      if (field.form != ValueForm::kFraction) continue;
      places.push_back({ExpectedOf(field), "",
                        absl::StrCat("[[", list, "]]\n", rest), list + "[0].",
                        std::string(field.key), line});
    }
  };
  add(GuardFields(), "guard", "name = \"a\"\n", 3);
  add(MarginFields(), "margin", "name = \"a\"\n", 3);
  add(WaiverFields(), "waiver",
      "name = \"a\"\nuntil = 2027-01-31\nreason = \"r\"\n", 5);
  return places;
}

TEST(PolicyFieldsTest, EveryFractionOfOneOrMoreNeedsItsPerCentSign) {
  const std::vector<FractionPlace> places = FractionPlaces();
  // min_effect, floor, alpha, beta, fdr, default_margin; guard, margin, waiver.
  EXPECT_THAT(places, SizeIs(9));
  for (const FractionPlace& place : places) {
    for (const std::string number : {"5", "1", "1.5"}) {
      EXPECT_EQ(ErrorOf(absl::StrCat(place.head, place.key, " = ", number)),
                absl::StrFormat("p.toml:%d: %s%s: expected %s, got %s; did you "
                                "mean %s%%?",
                                place.line, place.path, place.key,
                                place.expected, number, number));
      if (place.flag.empty()) continue;
      EXPECT_EQ(SetFlag(place.flag, number).message(),
                absl::StrFormat("%s: expected %s, got \"%s\"; did you mean "
                                "%s%%?",
                                place.flag, place.expected, number, number));
    }
    EXPECT_EQ(ErrorOf(absl::StrCat(place.head, place.key, " = \"5%\"")), "")
        << place.key;
    EXPECT_EQ(ErrorOf(absl::StrCat(place.head, place.key, " = 0.05")), "")
        << place.key;
  }
  EXPECT_EQ(SetFlag("--guard", "BM_A=5").message(),
            "--guard \"BM_A=5\": expected a fraction above 0 such as 0.02 or "
            "2%, got \"5\"; did you mean 5%?");
  EXPECT_OK(SetFlag("--guard", "BM_A=500%"));
}

}  // namespace
}  // namespace autotune

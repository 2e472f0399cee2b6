#include "comparator/results/text_encoding.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

// `text`, ASCII, as UTF-16 without a mark.
std::string Utf16(std::string_view text, bool big_endian) {
  std::string bytes;
  for (const char c : text) {
    if (big_endian) bytes += '\0';
    bytes += c;
    if (!big_endian) bytes += '\0';
  }
  return bytes;
}

absl::StatusOr<std::string> Decoded(std::string_view text) {
  std::string storage;
  const absl::StatusOr<std::string_view> decoded = DecodeText(text, storage);
  if (!decoded.ok()) return decoded.status();
  return std::string(*decoded);
}

TEST(TextEncodingTest, TakesOffTheMarkOfUtf8) {
  EXPECT_THAT(Decoded("\xef\xbb\xbf{}"), IsOkAndHolds("{}"));
  EXPECT_THAT(Decoded("{}"), IsOkAndHolds("{}"));
  EXPECT_THAT(Decoded(""), IsOkAndHolds(""));
}

TEST(TextEncodingTest, ConvertsUtf16WithAndWithoutMark) {
  EXPECT_THAT(Decoded("\xff\xfe" + Utf16("{\"a\"}", false)),
              IsOkAndHolds("{\"a\"}"));
  EXPECT_THAT(Decoded("\xfe\xff" + Utf16("{\"a\"}", true)),
              IsOkAndHolds("{\"a\"}"));
  EXPECT_THAT(Decoded(Utf16("{\"a\"}", false)), IsOkAndHolds("{\"a\"}"));
  EXPECT_THAT(Decoded(Utf16("{\"a\"}", true)), IsOkAndHolds("{\"a\"}"));
  // U+20AC and U+1F600, a pair of surrogates.
  EXPECT_THAT(Decoded(std::string("\xff\xfe\xac\x20\x3d\xd8\x00\xde", 8)),
              IsOkAndHolds("\u20ac\U0001F600"));
}

TEST(TextEncodingTest, RefusesDamagedUtf16) {
  EXPECT_THAT(Decoded("\xff\xfe{"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "UTF-16 with an odd number of bytes: the file is cut "
                       "off or damaged"));
  EXPECT_THAT(Decoded(std::string("\xff\xfe{\0\x3d\xd8{\0", 8)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "not valid UTF-16 at byte 2: a surrogate without its "
                       "other half"));
  EXPECT_THAT(Decoded(std::string("\xff\xfe\x3d\xd8", 4)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "not valid UTF-16 at byte 0: a surrogate without its "
                       "other half"));
}

TEST(TextEncodingTest, RefusesUtf32) {
  EXPECT_THAT(Decoded(std::string("\xff\xfe\0\0{\0\0\0", 8)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "UTF-32 text: save it as UTF-8"));
}

}  // namespace
}  // namespace autotune

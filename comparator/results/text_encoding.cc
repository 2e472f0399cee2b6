#include "comparator/results/text_encoding.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8_text.h"

namespace autotune {
namespace {

using namespace std::
    string_view_literals;  // NOLINT(google-build-using-namespace)

enum class ByteOrder { kLittleEndian, kBigEndian };

std::uint32_t ByteAt(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

std::uint32_t UnitAt(std::string_view text, std::size_t offset,
                     ByteOrder order) {
  const std::uint32_t first = ByteAt(text, offset);
  const std::uint32_t second = ByteAt(text, offset + 1);
  return order == ByteOrder::kLittleEndian ? second << 8 | first
                                           : first << 8 | second;
}

// UTF-16 text without a mark: its first two characters are ASCII.
std::optional<ByteOrder> UnmarkedUtf16(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  if (text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0) {
    return ByteOrder::kBigEndian;
  }
  if (text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0) {
    return ByteOrder::kLittleEndian;
  }
  return std::nullopt;
}

absl::Status DecodeUtf16(std::string_view text, ByteOrder order,
                         std::string& storage) {
  storage.reserve(text.size() / 2 + 1);
  std::size_t offset = 0;
  while (offset + 2 <= text.size()) {
    const std::uint32_t unit = UnitAt(text, offset, order);
    const std::uint32_t next =
        offset + 4 <= text.size() ? UnitAt(text, offset + 2, order) : 0;
    const std::optional<std::uint32_t> code_point =
        CodePointOfUtf16(unit, next);
    if (!code_point.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("not valid UTF-16 at byte ", offset,
                       ": a surrogate without its other half"));
    }
    AppendUtf8(*code_point, storage);
    offset += *code_point > 0xffff ? 4 : 2;
  }
  if (offset == text.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "UTF-16 with an odd number of bytes: the file is cut off or damaged");
}

}  // namespace

std::optional<std::uint32_t> CodePointOfUtf16(std::uint32_t unit,
                                              std::uint32_t next) {
  if (unit < 0xd800 || unit >= 0xe000) return unit;
  if (unit >= 0xdc00 || next < 0xdc00 || next >= 0xe000) return std::nullopt;
  return 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
}

absl::StatusOr<std::string_view> DecodeText(std::string_view text,
                                            std::string& storage) {
  if (text.starts_with("\xff\xfe\0\0"sv) ||
      text.starts_with("\0\0\xfe\xff"sv)) {
    return absl::InvalidArgumentError("UTF-32 text: save it as UTF-8");
  }
  if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
  std::optional<ByteOrder> order = UnmarkedUtf16(text);
  const bool marked =
      text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (marked) {
    order =
        text[0] == '\xff' ? ByteOrder::kLittleEndian : ByteOrder::kBigEndian;
  }
  if (!order.has_value()) return text;
  RETURN_IF_ERROR(DecodeUtf16(text.substr(marked ? 2 : 0), *order, storage));
  return std::string_view(storage);
}

}  // namespace autotune

#include "tools/ledger/toml_scanner.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/number_text.h"

namespace autotune {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kDeepestInlineTable = 16;
// Keeps the scan linear: past this, an array must end on its own line.
constexpr std::size_t kWastePerByte = 4;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsBareKey(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool EndsToken(char c) {
  return IsBlank(c) || c == ',' || c == '}' || c == ']' || c == '#' ||
         c == '\n' || c == '\r';
}

std::optional<double> ParsePrefixed(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<double>(value);
}

// A TOML number or boolean; nothing for other words, infinity and NaN.
std::optional<double> ParseNumber(std::string_view token) {
  if (token == "true") return 1.0;
  if (token == "false") return 0.0;
  std::string digits(token);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  std::string_view rest = digits;
  if (rest.starts_with("0x")) return ParsePrefixed(rest.substr(2), 16);
  if (rest.starts_with("0o")) return ParsePrefixed(rest.substr(2), 8);
  if (rest.starts_with("0b")) return ParsePrefixed(rest.substr(2), 2);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty() || rest.starts_with("+")) return std::nullopt;
  return ParseFiniteDouble(rest);
}

class Scanner {
 public:
  Scanner(std::string_view text,
          const std::function<void(const ScannedItem&)>& visit)
      : text_(text), visit_(visit) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  void Run() {
    while (at_ < text_.size()) {
      items_.clear();
      ScanLine();
      for (const ScannedItem& item : items_) visit_(item);
    }
  }

 private:
  // One line, or several when a value spans them. After damage the scan goes on
  // at the next line of the text, even inside what looked like a long value.
  void ScanLine() {
    begin_ = at_;
    begin_line_ = line_;
    SkipBlanks();
    const bool ok = AtLineEnd() || (Peek() == '[' ? ScanHeader() : ScanPair());
    if (ok && FinishLine()) return;
    items_.clear();
    Damage();
    at_ = begin_;
    line_ = begin_line_;
    SkipLine();
  }

  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  bool AtLineEnd() const {
    return Peek() == '\n' || Peek() == '#' ||
           (Peek() == '\r' && Peek(1) == '\n');
  }
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  void SkipLine() {
    const std::size_t newline = text_.find('\n', at_);
    at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
    ++line_;
  }
  // True at a comment or the end of the line, which is then behind us.
  bool FinishLine() {
    SkipBlanks();
    if (!AtLineEnd()) {
      Refuse("text after the value");
      return false;
    }
    SkipLine();
    return true;
  }

  bool Refuse(std::string why) {
    if (note_.empty()) note_ = std::move(why);
    return false;
  }
  ScannedItem& Add(ScannedItem::Kind kind, TomlPath path) {
    ScannedItem item;
    item.kind = kind;
    item.line = begin_line_;
    item.begin = begin_;
    item.path = std::move(path);
    items_.push_back(std::move(item));
    return items_.back();
  }
  void Damage() {
    Add(ScannedItem::Kind::kDamage, {}).note = std::exchange(note_, {});
  }

  bool ScanHeader() {
    const bool entry = Peek(1) == '[';
    at_ += entry ? 2 : 1;
    std::optional<TomlPath> path = ScanPath();
    if (!path.has_value()) return Refuse("expected a table's name");
    const bool closed = Peek() == ']' && (!entry || Peek(1) == ']');
    if (!closed) return Refuse("expected the ']' of a table's name");
    at_ += entry ? 2 : 1;
    Add(entry ? ScannedItem::Kind::kEntry : ScannedItem::Kind::kTable,
        *std::move(path));
    return true;
  }

  // Keys with dots between them, blanks around each skipped.
  std::optional<TomlPath> ScanPath() {
    TomlPath path;
    while (true) {
      SkipBlanks();
      std::optional<std::string> key = ScanKey();
      if (!key.has_value()) return std::nullopt;
      path.push_back(*std::move(key));
      SkipBlanks();
      if (Peek() != '.') return path;
      ++at_;
    }
  }

  std::optional<std::string> ScanKey() {
    if (Peek() == '"' || Peek() == '\'') {
      DecodedString decoded = DecodeTomlString(text_.substr(at_));
      if (decoded.size == 0) return std::nullopt;
      at_ += decoded.size;
      return std::move(decoded.text);
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && IsBareKey(text_[at_])) ++at_;
    if (at_ == start) return std::nullopt;
    return std::string(text_.substr(start, at_ - start));
  }

  bool ScanPair() { return ScanPairBelow({}); }

  bool ScanPairBelow(const TomlPath& above) {
    const std::optional<TomlPath> keys = ScanPath();
    if (!keys.has_value()) return Refuse("expected a key");
    if (Peek() != '=') return Refuse("expected '=' after the key");
    ++at_;
    SkipBlanks();
    TomlPath path = above;
    path.insert(path.end(), keys->begin(), keys->end());
    return ScanValue(std::move(path));
  }

  bool ScanValue(TomlPath path) {
    if (Peek() == '{') return ScanInlineTable(path);
    const std::size_t start = at_;
    if (!ScanPlainValue(std::move(path))) return false;
    items_.back().value_begin = start;
    items_.back().value_end = at_;
    return true;
  }

  bool ScanPlainValue(TomlPath path) {
    if (Peek() == '"' || Peek() == '\'') return ScanString(std::move(path));
    if (Peek() == '[') return ScanArray(std::move(path));
    return ScanToken(std::move(path));
  }

  bool ScanString(TomlPath path) {
    DecodedString decoded = DecodeTomlString(text_.substr(at_));
    if (decoded.size == 0) return Refuse(std::move(decoded.note));
    const std::string_view source = text_.substr(at_, decoded.size);
    at_ += decoded.size;
    line_ += static_cast<int>(std::count(source.begin(), source.end(), '\n'));
    ScannedItem& item = Add(ScannedItem::Kind::kValue, std::move(path));
    item.value.kind = ScannedValue::Kind::kString;
    item.value.text = std::move(decoded.text);
    item.note = std::move(decoded.note);
    return true;
  }

  bool ScanToken(TomlPath path) {
    const std::size_t start = at_;
    while (at_ < text_.size() && !EndsToken(text_[at_])) ++at_;
    const std::string_view token = text_.substr(start, at_ - start);
    if (token.empty()) return Refuse("expected a value");
    ScannedItem& item = Add(ScannedItem::Kind::kValue, std::move(path));
    item.value.text = std::string(token);
    const std::optional<double> number = ParseNumber(token);
    if (!number.has_value()) return true;
    item.value.kind = ScannedValue::Kind::kNumber;
    item.value.number = *number;
    return true;
  }

  bool ScanInlineTable(const TomlPath& path) {
    if (path.size() > kDeepestInlineTable) return Refuse("tables too deep");
    ++at_;
    SkipBlanks();
    while (Peek() != '}') {
      if (!ScanPairBelow(path)) return false;
      SkipBlanks();
      if (Peek() != ',' && Peek() != '}') return Refuse("expected ',' or '}'");
      if (Peek() == ',') ++at_;
      SkipBlanks();
    }
    ++at_;
    return true;
  }

  // Arrays are stepped over: no ledger keeps a metric in one.
  bool ScanArray(TomlPath path) {
    const std::size_t start = at_;
    int depth = 0;
    do {
      if (!StepThroughArray(depth)) {
        wasted_ += at_ - start;
        return Refuse("expected the array's ']'");
      }
    } while (depth > 0);
    Add(ScannedItem::Kind::kValue, std::move(path)).value.text =
        std::string(text_.substr(start, at_ - start));
    return true;
  }

  bool StepThroughArray(int& depth) {
    if (at_ >= text_.size()) return false;
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      const DecodedString decoded = DecodeTomlString(text_.substr(at_));
      at_ += decoded.size;
      return decoded.size > 0;
    }
    if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != '#') ++at_;
    if (c != '\n') return true;
    ++line_;
    return wasted_ <= kWastePerByte * text_.size() && !AtEntryHeader();
  }

  // Whether a line like "[[metric]]" follows: the array was never closed.
  bool AtEntryHeader() const {
    std::string_view rest = text_.substr(at_);
    if (!rest.starts_with("[[")) return false;
    rest.remove_prefix(2);
    std::size_t size = 0;
    while (size < rest.size() && IsBareKey(rest[size])) ++size;
    const bool named = size > 0 && (rest[0] < '0' || rest[0] > '9');
    return named && rest.substr(size).starts_with("]]");
  }

  std::string_view text_;
  const std::function<void(const ScannedItem&)>& visit_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t begin_ = 0;
  int begin_line_ = 1;
  std::size_t wasted_ = 0;  // bytes stepped over for arrays without an end
  std::string note_;
  std::vector<ScannedItem> items_;  // of the line being read
};

}  // namespace

void ScanToml(std::string_view text,
              const std::function<void(const ScannedItem&)>& visit) {
  Scanner(text, visit).Run();
}

std::vector<ScannedItem> ScanToml(std::string_view text) {
  std::vector<ScannedItem> items;
  ScanToml(text, [&](const ScannedItem& item) { items.push_back(item); });
  return items;
}

}  // namespace autotune

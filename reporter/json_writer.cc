#include "reporter/json_writer.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace autotune::internal {
namespace {

bool IsContinuation(std::string_view text, std::size_t at) {
  return at < text.size() &&
         (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// Length announced by the first byte of a UTF-8 sequence, 0 when none can start
// with it (0xC0, 0xC1 and above 0xF4 would be overlong or out of range).
std::size_t AnnouncedLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The second byte's range is narrower after four lead bytes: overlong forms,
// surrogates and code points past U+10FFFF. Source: RFC 3629, section 4.
bool SecondByteFits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second <= 0x9F;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second <= 0x8F;
    default:
      return true;
  }
}

// Length of the valid UTF-8 sequence at `at`, 0 when there is none.
std::size_t SequenceLength(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = AnnouncedLength(lead);
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text, at + i)) return 0;
  }
  if (length > 1 &&
      !SecondByteFits(lead, static_cast<unsigned char>(text[at + 1]))) {
    return 0;
  }
  return length;
}

// U+0080 to U+00FF as UTF-8.
void AppendLatin1(unsigned char byte, std::string& out) {
  out += static_cast<char>(0xC0U | (byte >> 6U));
  out += static_cast<char>(0x80U | (byte & 0x3FU));
}

void AppendByteEscape(unsigned char byte, std::string& out) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
  out += escape;
}

void AppendAscii(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7F) {
    AppendByteEscape(byte, out);
  } else {
    out += c;
  }
}

}  // namespace

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    if (length == 0) {
      AppendLatin1(static_cast<unsigned char>(text[at]), out);
    } else if (length == 1) {
      AppendAscii(text[at], out);
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out += '"';
  return out;
}

std::string WithPlainPoint(const char* printed) {
  std::string out;
  for (const char* c = printed; *c != '\0'; ++c) {
    if ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e') {
      out += *c;
    } else if (out.empty() || out.back() != '.') {
      out += '.';
    }
  }
  return out;
}

std::string JsonScientific(double value) {
  if (!std::isfinite(value)) return "null";
  char printed[64];
  std::snprintf(printed, sizeof printed, "%.16e", value);
  return WithPlainPoint(printed);
}

std::string JsonNumber(double value) {
  if (!std::isfinite(value)) return "null";
  char printed[64];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(printed, sizeof printed, "%.*g", digits, value);
    if (std::strtod(printed, nullptr) == value) break;
  }
  return WithPlainPoint(printed);
}

void JsonWriter::Key(std::string_view key) {
  assert(!level_has_values_.empty() && !after_key_);
  BeginValue();
  text_ += JsonString(key);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::Raw(std::string_view json) {
  BeginValue();
  text_ += json;
  after_key_ = false;
}

void JsonWriter::Open(char bracket) {
  BeginValue();
  after_key_ = false;
  text_ += bracket;
  level_has_values_.push_back(false);
}

void JsonWriter::Close(char bracket) {
  assert(!level_has_values_.empty() && !after_key_);
  const bool had_values = level_has_values_.back();
  level_has_values_.pop_back();
  if (had_values) NewLine();
  text_ += bracket;
}

void JsonWriter::BeginValue() {
  if (after_key_ || level_has_values_.empty()) return;
  if (level_has_values_.back()) {
    text_ += base_depth_ == kOneLine ? ", " : ",";
  }
  level_has_values_.back() = true;
  NewLine();
}

void JsonWriter::NewLine() {
  if (base_depth_ == kOneLine) return;
  text_ += '\n';
  const std::size_t depth =
      static_cast<std::size_t>(base_depth_) + level_has_values_.size();
  text_.append(2 * depth, ' ');
}

}  // namespace autotune::internal

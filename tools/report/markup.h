#ifndef AUTOTUNE_TOOLS_REPORT_MARKUP_H_
#define AUTOTUNE_TOOLS_REPORT_MARKUP_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// `text` as character data or a quoted attribute value of HTML and XML:
// printable, and with the five characters that could end it replaced.
// Sources: XML 1.0, section 2.4; HTML Living Standard, section 13.3.
std::string MarkupText(std::string_view text);

// Writes HTML with SVG in it. Every text and attribute value passes through
// MarkupText, so that no name can become markup; tags and attribute names are
// ours and go as they are.
class MarkupWriter {
 public:
  struct Attribute {
    std::string_view name;
    std::string value;  // an empty one is left out with its name
  };
  using Attributes = std::initializer_list<Attribute>;

  // <tag ...>, and the end of the innermost open one. End tags that HTML lets
  // go (rows and cells of tables, items of lists) are not written.
  void Begin(std::string_view tag, Attributes attributes = {});
  void End();
  // An element without contents, as SVG writes it.
  void Empty(std::string_view tag, Attributes attributes);
  void Text(std::string_view text) { text_ += MarkupText(text); }
  // An element that holds text alone.
  void Element(std::string_view tag, std::string_view text,
               Attributes attributes = {});

  // What another writer wrote.
  void Append(const std::string& finished) { text_ += finished; }

  std::size_t size() const { return text_.size(); }
  // What was written; all elements must be ended.
  std::string Take();

 private:
  void Start(std::string_view tag, Attributes attributes);

  std::string text_;
  std::vector<std::string_view> open_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_MARKUP_H_

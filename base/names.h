#ifndef AUTOTUNE_BASE_NAMES_H_
#define AUTOTUNE_BASE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// One value of an enumeration and the word it is written as, in files, on the
// command line and in reports.
template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};

// The words of an enumeration, once for all that read or print it. Each
// enumeration specialises it beside its definition:
//
//   template <>
//   struct NameTable<Colour> {
//     static constexpr Named<Colour> kAll[] = {{"red", Colour::kRed}};
//   };
template <typename Enum>
struct NameTable;

// The word of `value`; "" for one that its table lacks.
template <typename Enum>
std::string_view NameOf(Enum value) {
  for (const Named<Enum>& entry : NameTable<Enum>::kAll) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

// The value that `name` stands for; nothing when it is none of the words.
template <typename Enum>
std::optional<Enum> ValueNamed(std::string_view name) {
  for (const Named<Enum>& entry : NameTable<Enum>::kAll) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

// All words of an enumeration, in its table's order.
template <typename Enum>
std::vector<std::string> NamesOf() {
  std::vector<std::string> names;
  for (const Named<Enum>& entry : NameTable<Enum>::kAll)
    names.emplace_back(entry.name);
  return names;
}

}  // namespace autotune

#endif  // AUTOTUNE_BASE_NAMES_H_

#ifndef AUTOTUNE_COMPARATOR_POLICY_TOML_NODE_H_
#define AUTOTUNE_COMPARATOR_POLICY_TOML_NODE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace autotune {

// One value of a TOML text, with the line where it stands.
struct TomlNode {
  enum class Kind {
    kString,
    kInteger,
    kFloat,
    kBoolean,
    kDate,
    kTime,  // with or without a date
    kArray,
    kTable,
  };
  Kind kind = Kind::kTable;
  int line = 1;
  std::string key;   // in its table; empty in an array and at the top
  int key_line = 1;  // where that key stands
  // What a string holds; of other single values what a message calls them:
  // "1", "NaN", "true", "2027-01-31".
  std::string text;
  std::vector<TomlNode> elements;  // of an array, or a table's values by key

  // The value under `name` in a table; null when there is none.
  const TomlNode* Find(std::string_view name) const;
};

// The whole of `text`, a table. Errors: InvalidArgument "SOURCE:LINE: ...".
absl::StatusOr<TomlNode> ParseToml(std::string_view text,
                                   std::string_view source_name);

// What `node` holds, for "got ...": a string in quotes, a single value as it
// is, else "a table", "an array", "a date or time".
std::string FoundText(const TomlNode& node);

// A table being read: where it is, and how its keys are called in messages
// ("policy.budget", "guard[1].margin"). Every error is InvalidArgument
// "SOURCE:LINE: KEY: ...". The node must outlive the table.
class TomlTable {
 public:
  // `path` is "" for the whole text.
  TomlTable(const TomlNode& node, std::string_view source, std::string path)
      : node_(&node), source_(source), path_(std::move(path)) {}

  const TomlNode* Find(std::string_view key) const { return node_->Find(key); }

  // "SOURCE:LINE" of the key, or of the table itself.
  std::string Place(std::string_view key = "") const;

  // "KEY" as messages call it.
  std::string KeyPath(std::string_view key) const;

  // Unknown key, with a did-you-mean, when the table holds one not in `known`.
  absl::Status CheckKeys(const std::vector<std::string>& known) const;

  // An error about `key` at the place of `node`.
  absl::Status ErrorAt(const TomlNode& node, std::string_view key,
                       std::string_view message) const;

  // An error at the value of `key`, at the table's own line without one.
  absl::Status Error(std::string_view key, std::string_view message) const;

  // "missing; expected ..."; "empty; ..." when the key is there.
  absl::Status Missing(std::string_view key, std::string_view expected) const;

  // The table under `key`; nothing when the key is absent.
  absl::StatusOr<std::optional<TomlTable>> Table(const std::string& key) const;

  // The tables of the array of tables `key`; none when the key is absent.
  absl::StatusOr<std::vector<TomlTable>> Tables(const std::string& key) const;

  // InvalidArgument when there is a schema_version other than 1.
  absl::Status CheckSchemaVersion() const;

 private:
  const TomlNode* node_;
  std::string_view source_;
  std::string path_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_TOML_NODE_H_

#include "reporter/visit_facts.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <random>
#include <variant>
#include <vector>

#include "reporter/binary_identity.h"
#include "reporter/json_writer.h"
#include "reporter/resource_use.h"
#include "reporter/time_text.h"

namespace autotune::internal {
namespace {

using Time = std::chrono::system_clock::time_point;

constexpr int kFormatVersion = 1;

// Without a random device the time and the process still tell visits of one
// machine apart.
std::uint32_t RandomWord(int index) {
  try {
    return std::random_device()();
  } catch (const std::exception&) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::seed_seq seed{static_cast<std::int64_t>(now.count()),
                       static_cast<std::int64_t>(getpid()),
                       static_cast<std::int64_t>(index)};
    return static_cast<std::uint32_t>(std::mt19937(seed)());
  }
}

std::string RandomId() {
  std::string id;
  for (int i = 0; i < 4; ++i) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", RandomWord(i));
    id += digits;
  }
  return id;
}

void WriteText(const char* key, const std::string& value, JsonWriter& out) {
  out.Key(key);
  out.String(value);
}

void WriteTime(const char* key, Time time, JsonWriter& out) {
  out.Key(key);
  out.BeginObject();
  WriteText("rfc3339", UtcTimeText(time), out);
  out.Key("unix");
  out.Number(UnixSeconds(time));
  out.EndObject();
}

std::string ObjectsJson(const std::vector<LoadedObject>& objects) {
  JsonWriter out(2);
  out.BeginArray();
  for (const LoadedObject& object : objects) {
    out.BeginObject();
    if (!object.path.empty()) WriteText("path", object.path, out);
    if (!object.build_id.empty()) WriteText("build_id", object.build_id, out);
    out.EndObject();
  }
  out.EndArray();
  return out.text();
}

// Writes one alternative of a fact's value.
struct FactWriter {
  JsonWriter& out;
  void operator()(bool value) const { out.Bool(value); }
  void operator()(std::int64_t value) const { out.Integer(value); }
  void operator()(double value) const { out.Number(value); }
  void operator()(const std::string& value) const { out.String(value); }
};

std::string EnvironmentJson(const Facts& environment) {
  JsonWriter out(2);
  out.BeginObject();
  for (const Fact& fact : environment) {
    out.Key(fact.name);
    std::visit(FactWriter{out}, fact.value);
  }
  out.EndObject();
  return out.text();
}

void WriteRusage(JsonWriter& out) {
  const std::optional<ResourceUse> use = ReadResourceUse();
  if (!use.has_value()) return;
  out.Key("rusage");
  out.BeginObject();
  WriteUse(*use, out);
  WriteState(ReadProcessState(), out);
  out.EndObject();
}

void WriteNonFinite(const RowNotes& notes, JsonWriter& out) {
  if (notes.non_finite.empty()) return;
  out.Key("non_finite");
  out.BeginArray();
  for (const RowNotes::NonFinite& note : notes.non_finite) {
    out.BeginObject();
    WriteText("row", note.row, out);
    WriteText("field", note.field, out);
    WriteText("value", note.value, out);
    out.EndObject();
  }
  out.EndArray();
}

void WriteLost(const RowNotes& notes, JsonWriter& out) {
  if (notes.lost.empty()) return;
  out.Key("lost");
  out.BeginArray();
  for (const RowNotes::Lost& note : notes.lost) {
    out.BeginObject();
    WriteText("row", note.row, out);
    WriteText("field", note.field, out);
    out.EndObject();
  }
  out.EndArray();
}

void WriteRenamed(const RowNotes& notes, JsonWriter& out) {
  if (notes.renamed.empty()) return;
  out.Key("renamed");
  out.BeginArray();
  for (const RowNotes::Renamed& note : notes.renamed) {
    out.BeginObject();
    WriteText("row", note.row, out);
    WriteText("name", note.name, out);
    WriteText("key", note.key, out);
    out.EndObject();
  }
  out.EndArray();
}

}  // namespace

VisitFacts::VisitFacts(const std::string& visit_id, const Facts& environment)
    : visit_id_(visit_id.empty() ? RandomId() : visit_id),
      start_(std::chrono::system_clock::now()),
      environment_(EnvironmentJson(environment)) {
  const std::vector<LoadedObject> objects = LoadedObjects();
  if (!objects.empty()) build_id_ = objects.front().build_id;
  objects_ = ObjectsJson(objects);
}

std::string VisitFacts::Start() const {
  JsonWriter out(1);
  out.BeginObject();
  out.Key("format_version");
  out.Integer(kFormatVersion);
  WriteText("visit_id", visit_id_, out);
  WriteTime("start", start_, out);
  if (!build_id_.empty()) WriteText("build_id", build_id_, out);
  out.Key("objects");
  out.Raw(objects_);
  out.Key("environment");
  out.Raw(environment_);
  out.Key("benchmarks");
  out.BeginArray();
  return out.text();
}

std::string VisitFacts::End(bool complete, const RowNotes& notes) const {
  JsonWriter out(1);
  out.BeginObject();
  out.Key("complete");
  out.Bool(complete);
  WriteTime("end", std::chrono::system_clock::now(), out);
  WriteRusage(out);
  WriteNonFinite(notes, out);
  WriteLost(notes, out);
  WriteRenamed(notes, out);
  out.EndObject();
  // The object has begun before the array.
  return "\n    ]," + out.text().substr(1);
}

}  // namespace autotune::internal

#include "tools/models/parameters.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace burin::models {

namespace {

class Printer final : public ParameterVisitor {
 public:
  void Visit(const char* name, int64_t& value, int64_t, int64_t) override { Append(name, value); }
  void Visit(const char* name, double& value, double, double) override { Append(name, value); }
  std::string Text() const { return absl::StrJoin(pieces_, ","); }

 private:
  template <class T>
  void Append(const char* name, T value) {
    pieces_.push_back(absl::StrCat(name, "=", value));
  }
  std::vector<std::string> pieces_;
};

// Assigns one parameter by name.
class Setter final : public ParameterVisitor {
 public:
  Setter(absl::string_view name, absl::string_view text) : name_(name), text_(text) {}
  void Visit(const char* name, int64_t& value, int64_t min, int64_t max) override {
    if (name != name_) return;
    int64_t given = 0;
    const bool parsed = absl::SimpleAtoi(text_, &given);
    Assign(parsed, given, min, max, &value);
  }
  void Visit(const char* name, double& value, double min, double max) override {
    if (name != name_) return;
    double given = 0;
    const bool parsed = absl::SimpleAtod(text_, &given);
    Assign(parsed, given, min, max, &value);
  }
  bool found() const { return found_; }
  const absl::Status& status() const { return status_; }

 private:
  template <class T>
  void Assign(bool parsed, T given, T min, T max, T* value) {
    found_ = true;
    if (!parsed || !(given >= min) || !(given <= max)) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat("Expected a number in [", min, ", ", max, "] for parameter ", name_, ", found \"", text_, "\""));
      return;
    }
    *value = given;
  }

  const absl::string_view name_;
  const absl::string_view text_;
  bool found_ = false;
  absl::Status status_;
};

}  // namespace

absl::Status ParseParameters(absl::string_view text, Parameters* parameters) {
  if (absl::StripAsciiWhitespace(text).empty()) return absl::OkStatus();
  std::set<std::string> seen;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(piece, absl::MaxSplits('=', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(parts.first);
    Setter setter(name, absl::StripAsciiWhitespace(parts.second));
    parameters->VisitParameters(setter);
    if (!setter.found()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Unknown parameter \"", name, "\"; there are: ", ToString(*parameters)));
    }
    BURIN_RETURN_IF_ERROR(setter.status());
    if (!seen.insert(std::string(name)).second) {
      return absl::InvalidArgumentError(absl::StrCat("Parameter is given twice: ", name));
    }
  }
  return absl::OkStatus();
}

std::string ToString(Parameters& parameters) {
  Printer printer;
  parameters.VisitParameters(printer);
  return printer.Text();
}

}  // namespace burin::models

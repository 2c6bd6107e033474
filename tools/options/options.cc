#include "tools/options/options.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace burin::options {

namespace {

constexpr size_t kColumns = 100;
constexpr size_t kHelpIndent = 26;

const Option* Find(absl::Span<const Option> table, absl::string_view name) {
  for (const Option& option : table) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

absl::Status UnknownOption(absl::Span<const Option> table, const std::string& name,
                           const std::map<std::string, std::string>& refused) {
  auto reason = refused.find(name);
  if (reason != refused.end()) {
    return absl::InvalidArgumentError(absl::StrCat("Option -", name, " is not accepted: ", reason->second));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Unknown option -", name, "; there are: ",
      absl::StrJoin(table, ", ",
                    [](std::string* out, const Option& option) { absl::StrAppend(out, "-", option.name); }),
      ", -h"));
}

}  // namespace

absl::StatusOr<Options> Options::Parse(absl::Span<const Option> table, const std::vector<std::string>& arguments,
                                       const std::map<std::string, std::string>& refused) {
  Options parsed;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view text = arguments[i];
    if (!absl::ConsumePrefix(&text, "-") || text.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("Expected an option, found \"", arguments[i], "\""));
    }
    absl::ConsumePrefix(&text, "-");
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    const bool has_equals = parts.first.size() < text.size();
    const std::string name(parts.first);
    if (name == "h" || name == "help") {
      parsed.help_ = true;
      continue;
    }
    const Option* option = Find(table, name);
    if (option == nullptr) return UnknownOption(table, name, refused);
    std::vector<std::string>& values = parsed.values_[name];
    if (!values.empty() && !option->repeated) {
      return absl::InvalidArgumentError(absl::StrCat("Option -", name, " is given twice"));
    }
    if (option->value_name == nullptr) {
      if (has_equals) return absl::InvalidArgumentError(absl::StrCat("Option -", name, " takes no value"));
      values.emplace_back();
    } else if (has_equals) {
      values.emplace_back(parts.second);
    } else if (i + 1 < arguments.size()) {
      values.push_back(arguments[++i]);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("Option -", name, " needs a value: ", option->value_name));
    }
  }
  return parsed;
}

bool Options::Has(absl::string_view name) const { return values_.find(name) != values_.end(); }

std::string Options::Text(absl::string_view name, absl::string_view otherwise) const {
  auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second.back();
}

std::vector<std::string> Options::All(absl::string_view name) const {
  auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

absl::StatusOr<int64_t> Options::Integer(absl::string_view name, int64_t otherwise, int64_t min, int64_t max) const {
  if (!Has(name)) return otherwise;
  int64_t value = 0;
  if (!absl::SimpleAtoi(Text(name), &value) || value < min || value > max) {
    return absl::InvalidArgumentError(
        absl::StrCat("Option -", name, ": expected an integer in [", min, ", ", max, "], found \"", Text(name), "\""));
  }
  return value;
}

absl::StatusOr<double> Options::Real(absl::string_view name, double otherwise, double min, double max) const {
  if (!Has(name)) return otherwise;
  double value = 0;
  if (!absl::SimpleAtod(Text(name), &value) || !(value >= min) || !(value <= max)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Option -", name, ": expected a number in [", min, ", ", max, "], found \"", Text(name), "\""));
  }
  return value;
}

std::string HelpText(absl::string_view usage, absl::Span<const Option> table) {
  std::string text = absl::StrCat("Usage: ", usage, "\n\n");
  const std::string indent(kHelpIndent, ' ');
  auto append = [&](const std::string& head, absl::string_view help) {
    std::string line = absl::StrCat("  ", head);
    line += line.size() + 2 <= kHelpIndent ? std::string(kHelpIndent - line.size(), ' ') : absl::StrCat("\n", indent);
    size_t column = kHelpIndent;
    for (absl::string_view word : absl::StrSplit(help, ' ', absl::SkipEmpty())) {
      if (column > kHelpIndent && column + 1 + word.size() > kColumns) {
        absl::StrAppend(&line, "\n", indent);
        column = kHelpIndent;
      }
      if (column > kHelpIndent) {
        line += ' ';
        ++column;
      }
      absl::StrAppend(&line, word);
      column += word.size();
    }
    absl::StrAppend(&text, line, "\n");
  };
  for (const Option& option : table) {
    append(absl::StrCat("-", option.name, option.value_name == nullptr ? "" : absl::StrCat(" ", option.value_name)),
           option.help);
  }
  append("-h", "Prints this text.");
  return text;
}

}  // namespace burin::options

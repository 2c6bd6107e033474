#include "tools/benchmark/data/port_values.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace burin::benchmark {

namespace {

// An input's name, empty where there is none, and its values in order.
struct Entry {
  std::string name;
  std::vector<std::string> values;
};

absl::Status OptionError(const char* option, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("Option -", option, ": ", what));
}

absl::StatusOr<std::vector<Entry>> ParseEntries(const char* option, absl::string_view text) {
  std::vector<Entry> entries;
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  do {
    Entry entry;
    const size_t open = rest.find('[');
    if (open == absl::string_view::npos) {
      return OptionError(option, absl::StrCat("expected NAME[VALUE], found \"", rest, "\""));
    }
    entry.name = std::string(absl::StripAsciiWhitespace(rest.substr(0, open)));
    rest.remove_prefix(open);
    while (absl::ConsumePrefix(&rest, "[")) {
      const size_t close = rest.find(']');
      if (close == absl::string_view::npos) {
        return OptionError(option, absl::StrCat("expected \"]\" after \"", rest, "\""));
      }
      entry.values.emplace_back(rest.substr(0, close));
      rest = absl::StripLeadingAsciiWhitespace(rest.substr(close + 1));
    }
    entries.push_back(std::move(entry));
    if (rest.empty()) return entries;
  } while (absl::ConsumePrefix(&rest, ","));
  return OptionError(option, absl::StrCat("expected \",\" between inputs, found \"", rest, "\""));
}

}  // namespace

absl::StatusOr<std::map<size_t, std::vector<std::string>>> ParsePortValues(const char* option, const std::string& text,
                                                                           const std::vector<Port>& inputs) {
  absl::StatusOr<std::vector<Entry>> entries = ParseEntries(option, text);
  if (!entries.ok()) return entries.status();
  std::map<size_t, std::vector<std::string>> by_port;
  for (const Entry& entry : *entries) {
    bool known = false;
    for (const Port& port : inputs) {
      if (!entry.name.empty() && !port.HasName(entry.name)) continue;
      known = true;
      if (!by_port.emplace(port.index, entry.values).second) {
        return OptionError(option, absl::StrCat("input is named twice: ", ToString(port)));
      }
    }
    if (!known) {
      return OptionError(option, absl::StrCat("no input \"", entry.name, "\"; there are: ", NamesOf(inputs)));
    }
  }
  return by_port;
}

}  // namespace burin::benchmark

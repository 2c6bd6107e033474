// Parses the single-dash options of the command line tools (`-m model.onnx -niter 10 -pc`), as benchmark_app writes
// them.
//
// A tool states its options once, in a table; parsing, refusing and `-h` follow from it. absl flags do not fit: they
// know no repeated option and cannot tell an option that another tool has from one that nobody has. Values are text
// here; the typed getters check them. Not thread-safe.
#ifndef BURIN_TOOLS_OPTIONS_OPTIONS_H_
#define BURIN_TOOLS_OPTIONS_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin::options {

struct Option {
  const char* name;        // Without the dash.
  const char* value_name;  // What -h prints for the value ("FILE"); null for a switch, which takes none.
  const char* help;        // One or more sentences.
  bool repeated = false;
};

class Options {
 public:
  // Parses `arguments` (argv[1..]). `-name value`, `-name=value` and the same with two dashes are accepted; `-h` and
  // `-help` always are. InvalidArgument, naming the option, for one that is not in `table` (with `refused`'s reason
  // where that has its name), a missing or superfluous value, or a repetition of what may not be repeated; for text
  // that belongs to no option.
  static absl::StatusOr<Options> Parse(absl::Span<const Option> table, const std::vector<std::string>& arguments,
                                       const std::map<std::string, std::string>& refused = {});

  // Returns whether the option was given; a switch's value.
  bool Has(absl::string_view name) const;
  bool help() const { return help_; }
  // Returns the last value, or `otherwise` where the option was not given.
  std::string Text(absl::string_view name, absl::string_view otherwise = "") const;
  // Returns all values in order.
  std::vector<std::string> All(absl::string_view name) const;
  // InvalidArgument, naming the option and the range, where the value is no number in [min, max].
  absl::StatusOr<int64_t> Integer(absl::string_view name, int64_t otherwise, int64_t min, int64_t max) const;
  absl::StatusOr<double> Real(absl::string_view name, double otherwise, double min, double max) const;

 private:
  bool help_ = false;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// Returns the text of -h: usage line, then each option with its help, wrapped to 100 columns.
std::string HelpText(absl::string_view usage, absl::Span<const Option> table);

}  // namespace burin::options

#endif  // BURIN_TOOLS_OPTIONS_OPTIONS_H_

// Layout strings: which axis of a tensor means what ("NCHW", "N...C", "[N,C,H,W]", "?").
//
// Follows OpenVINO's layout grammar: a name per axis (single letters, or names in brackets separated by commas), `?`
// for an axis without a name, one `...` for any number of axes; `[]` is a scalar's. Value type; thread-compatible.
#ifndef BURIN_IR_LAYOUT_H_
#define BURIN_IR_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::ir {

class Layout {
 public:
  // Constructs a layout that says nothing: `...`.
  Layout() = default;

  // Parses a layout string; names are case-insensitive and kept in upper case. InvalidArgument for an empty or repeated
  // name, more than one `...`, or a malformed bracket form.
  static absl::StatusOr<Layout> Parse(const std::string& text);

  // Returns the position of axis `name` in a tensor of rank `rank`; nullopt where the layout has no such axis. Axes
  // after `...` count from the end. InvalidArgument where the layout cannot describe that rank.
  absl::StatusOr<std::optional<int64_t>> Find(const std::string& name, int64_t rank) const;

  // Returns whether a tensor of rank `rank` can have this layout.
  bool FitsRank(int64_t rank) const;

  std::string ToString() const;
  friend bool operator==(const Layout& a, const Layout& b) {
    return a.before_ == b.before_ && a.after_ == b.after_ && a.has_ellipsis_ == b.has_ellipsis_;
  }

 private:
  std::vector<std::string> before_;  // Axis names in front of `...`, or all of them; "" is an axis without a name.
  std::vector<std::string> after_;   // Axis names behind `...`.
  bool has_ellipsis_ = true;
};

}  // namespace burin::ir

#endif  // BURIN_IR_LAYOUT_H_

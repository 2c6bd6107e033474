// Runtime info: what is known of a node or a model besides what it computes, as text under a key.
//
// Layouts of inputs and outputs, options that an exporter left, execution facts in a runtime model. Carried by clone,
// text and binary form; structural comparison and hash ignore it. A Patch gives it to no new node: the facts were those
// of the node that goes (where a node comes from is told by its original names). Not for anything that changes a
// result: that is an attribute. Value type.
#ifndef BURIN_IR_RUNTIME_INFO_H_
#define BURIN_IR_RUNTIME_INFO_H_

#include <map>
#include <string>

namespace burin::ir {

// Ordered by key. A nested key is its parts joined by '/': "options/cache/mode".
using RuntimeInfo = std::map<std::string, std::string>;

// The layout of a Parameter or Result ("NCHW"; the grammar of ir/layout.h).
inline constexpr char kLayoutKey[] = "layout";

}  // namespace burin::ir

#endif  // BURIN_IR_RUNTIME_INFO_H_

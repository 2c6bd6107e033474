// One input or output of a model as users see it.
//
// Value type. This header is part of the public interface and speaks std types only.
#ifndef BURIN_RUNTIME_DEV_PORT_H_
#define BURIN_RUNTIME_DEV_PORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "ir/layout.h"
#include "ir/partial_shape.h"
#include "runtime/dev/slot.h"

namespace burin {

struct Port {
  Slot::Kind kind = Slot::Kind::kInput;
  // Position among the inputs, or among the outputs.
  size_t index = 0;
  // The names by which the port is found: the first is the one that messages print. Never empty.
  std::vector<std::string> names;
  ElementType element_type = ElementType::kUndefined;
  ir::PartialShape shape;
  // Which axis means what, as the model or its user says: `...`, which says nothing, where nobody does.
  ir::Layout layout;

  // Returns where a request keeps the port's tensor.
  Slot slot() const { return Slot{kind, index}; }
  const std::string& name() const { return names.front(); }
  bool HasName(const std::string& wanted) const;
};

// Prints as `"data" f32[?,3,224,224]`.
std::string ToString(const Port& port);

// Prints the names of all ports, quoted and separated by commas: for messages that list what is allowed.
std::string NamesOf(const std::vector<Port>& ports);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PORT_H_

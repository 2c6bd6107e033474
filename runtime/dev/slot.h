// Names one tensor of a request: resolved once from a port or a name, an index in every later call.
//
// Value type.
#ifndef BURIN_RUNTIME_DEV_SLOT_H_
#define BURIN_RUNTIME_DEV_SLOT_H_

#include <cstddef>

namespace burin {

struct Slot {
  enum class Kind { kInput, kOutput };
  Kind kind = Kind::kInput;
  // Position among the inputs, or among the outputs.
  size_t index = 0;

  friend bool operator==(Slot a, Slot b) { return a.kind == b.kind && a.index == b.index; }
  friend bool operator!=(Slot a, Slot b) { return !(a == b); }
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_SLOT_H_

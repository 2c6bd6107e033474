// Every name of a model's ports with the slot that it stands for: built once per compiled model.
//
// A look-up allocates nothing and compares no string but the one that it finds. Immutable, hence thread-safe.
#ifndef BURIN_RUNTIME_DEV_SLOT_TABLE_H_
#define BURIN_RUNTIME_DEV_SLOT_TABLE_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "runtime/dev/port.h"
#include "runtime/dev/slot.h"

namespace burin {

class SlotTable {
 public:
  // Where ports share a name it stands for the first of them, inputs before outputs.
  SlotTable(const std::vector<Port>& inputs, const std::vector<Port>& outputs);

  // Returns the slot called `name`; null where there is none.
  const Slot* Find(absl::string_view name) const;

 private:
  absl::flat_hash_map<std::string, Slot> slots_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_SLOT_TABLE_H_

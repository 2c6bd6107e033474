#include "runtime/dev/slot_table.h"

namespace burin {

SlotTable::SlotTable(const std::vector<Port>& inputs, const std::vector<Port>& outputs) {
  for (const std::vector<Port>* ports : {&inputs, &outputs}) {
    for (const Port& port : *ports) {
      for (const std::string& name : port.names) slots_.try_emplace(name, port.slot());
    }
  }
}

const Slot* SlotTable::Find(absl::string_view name) const {
  const auto it = slots_.find(name);
  return it == slots_.end() ? nullptr : &it->second;
}

}  // namespace burin

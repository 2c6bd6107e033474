#include "jit/asm/gdb_jit.h"

#include <mutex>

#include "jit/asm/elf_object.h"

using ::burin::jit::internal::GdbListEntry;

extern "C" {

// The names and the layout are gdb's: it reads the descriptor whenever its breakpoint in the function is hit. Weak, so
// that a program with another generator of code has one of each.
struct BurinJitDescriptor {
  uint32_t version;
  uint32_t action_flag;
  GdbListEntry* relevant_entry;
  GdbListEntry* first_entry;
};

__attribute__((weak)) BurinJitDescriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

__attribute__((weak, noinline)) void __jit_debug_register_code() {
  // A call without effects could be dropped, and the breakpoint with it.
  asm volatile("" ::: "memory");
}

}  // extern "C"

namespace burin::jit::internal {
namespace {

enum Action : uint32_t { kNoAction = 0, kRegister = 1, kUnregister = 2 };

// Guards the list. Not an absl::Mutex: a child of a fork() may lock it.
std::mutex& ListMutex() {
  static std::mutex& mutex = *new std::mutex();
  return mutex;
}

void Tell(Action action, GdbListEntry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = kNoAction;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

}  // namespace

std::unique_ptr<GdbEntry> RegisterWithGdb(absl::string_view name, absl::Span<const uint8_t> code) {
  auto entry = std::make_unique<GdbEntry>();
  entry->object = WriteElfObject(name, code);
  entry->link.symfile_addr = entry->object.data();
  entry->link.symfile_size = entry->object.size();
  const std::lock_guard<std::mutex> lock(ListMutex());
  entry->link.next = __jit_debug_descriptor.first_entry;
  if (entry->link.next != nullptr) entry->link.next->prev = &entry->link;
  __jit_debug_descriptor.first_entry = &entry->link;
  Tell(kRegister, &entry->link);
  return entry;
}

void UnregisterWithGdb(GdbEntry& entry) {
  const std::lock_guard<std::mutex> lock(ListMutex());
  GdbListEntry& link = entry.link;
  if (link.prev != nullptr) {
    link.prev->next = link.next;
  } else {
    __jit_debug_descriptor.first_entry = link.next;
  }
  if (link.next != nullptr) link.next->prev = link.prev;
  Tell(kUnregister, &link);
}

}  // namespace burin::jit::internal

#include "jit/asm/gdb_jit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using ::burin::jit::internal::GdbListEntry;

// As a debugger sees it.
extern "C" {
struct BurinJitDescriptor {
  uint32_t version;
  uint32_t action_flag;
  GdbListEntry* relevant_entry;
  GdbListEntry* first_entry;
};
extern BurinJitDescriptor __jit_debug_descriptor;
}

namespace burin::jit::internal {
namespace {

std::vector<const char*> Listed() {
  std::vector<const char*> listed;
  GdbListEntry* previous = nullptr;
  for (GdbListEntry* entry = __jit_debug_descriptor.first_entry; entry != nullptr; entry = entry->next) {
    EXPECT_EQ(entry->prev, previous);
    previous = entry;
    listed.push_back(entry->symfile_addr);
  }
  return listed;
}

TEST(GdbJitTest, KeepsTheListThatGdbReads) {
  const uint8_t code[4] = {};
  std::unique_ptr<GdbEntry> one = RegisterWithGdb("one", code);
  std::unique_ptr<GdbEntry> two = RegisterWithGdb("two", code);
  std::unique_ptr<GdbEntry> three = RegisterWithGdb("three", code);
  EXPECT_EQ(__jit_debug_descriptor.version, 1u);
  EXPECT_EQ(Listed(), (std::vector<const char*>{three->object.data(), two->object.data(), one->object.data()}));
  EXPECT_EQ(three->link.symfile_size, three->object.size());
  UnregisterWithGdb(*two);
  EXPECT_EQ(Listed(), (std::vector<const char*>{three->object.data(), one->object.data()}));
  UnregisterWithGdb(*one);
  UnregisterWithGdb(*three);
  EXPECT_TRUE(Listed().empty());
}

TEST(GdbJitTest, ThreadsShareTheList) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      const uint8_t code[4] = {};
      for (int round = 0; round < 200; ++round) {
        const std::unique_ptr<GdbEntry> entry = RegisterWithGdb("kernel", code);
        UnregisterWithGdb(*entry);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Listed().empty());
}

}  // namespace
}  // namespace burin::jit::internal

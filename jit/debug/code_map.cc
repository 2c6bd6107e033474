#include "jit/debug/code_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "base/check.h"

namespace burin::jit {
namespace internal {
namespace {

// Is what is known of one kernel; not changed once it is in the map.
struct CodeMapRecord {
  std::string name;
  std::vector<CodeMark> marks;
};

}  // namespace

struct CodeMapSlot {
  // Of the instructions; 0 where the slot is free.
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};
  std::atomic<const CodeMapRecord*> record{nullptr};
};

}  // namespace internal

namespace {

constexpr size_t kSlotsPerChunk = 64;

// Copies what fits, and a 0 behind it.
void CopyText(const std::string& from, char (&to)[CodePlace::kMaxText]) {
  const size_t bytes = std::min(from.size(), CodePlace::kMaxText - 1);
  std::memcpy(to, from.data(), bytes);
  to[bytes] = '\0';
}

}  // namespace

struct CodeMap::Chunk {
  std::array<internal::CodeMapSlot, kSlotsPerChunk> slots;
  std::atomic<Chunk*> next{nullptr};
};

CodeMapEntry& CodeMapEntry::operator=(CodeMapEntry&& other) noexcept {
  CodeMapEntry taken(std::move(other));
  std::swap(map_, taken.map_);
  std::swap(slot_, taken.slot_);
  return *this;
}

CodeMapEntry::~CodeMapEntry() {
  if (map_ != nullptr) map_->Remove(slot_);
}

CodeMap& CodeMap::Process() {
  static CodeMap& map = *new CodeMap();
  return map;
}

CodeMap::CodeMap() : first_(new Chunk()) {
  for (internal::CodeMapSlot& slot : first_->slots) free_.push_back(&slot);
}

CodeMap::~CodeMap() {
  BURIN_CHECK_EQ(size_, size_t{0}) << "code is still in the map";
  for (Chunk* chunk = first_; chunk != nullptr;) {
    const std::unique_ptr<Chunk> ended(chunk);
    chunk = chunk->next.load(std::memory_order_relaxed);
  }
}

CodeMapEntry CodeMap::Register(absl::string_view name, absl::Span<const uint8_t> code, std::vector<CodeMark> marks) {
  auto record = std::make_unique<internal::CodeMapRecord>();
  record->name = std::string(name);
  record->marks = std::move(marks);
  const auto begin = reinterpret_cast<uintptr_t>(code.data());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) {
    auto chunk = std::make_unique<Chunk>();
    for (internal::CodeMapSlot& slot : chunk->slots) free_.push_back(&slot);
    // Behind the first, so that the order of chunks says nothing.
    chunk->next.store(first_->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
    first_->next.store(chunk.release(), std::memory_order_release);
  }
  internal::CodeMapSlot* const slot = free_.back();
  free_.pop_back();
  ++size_;
  slot->record.store(record.release(), std::memory_order_relaxed);
  slot->end.store(begin + code.size(), std::memory_order_relaxed);
  slot->begin.store(begin, std::memory_order_release);
  return CodeMapEntry(this, slot);
}

bool CodeMap::WaitForReaders() const {
  constexpr int kTries = 10000;
  for (int i = 0; i < kTries; ++i) {
    if (readers_.load(std::memory_order_seq_cst) == 0) return true;
    std::this_thread::yield();
  }
  return false;
}

void CodeMap::Remove(internal::CodeMapSlot* slot) {
  // Sequentially consistent, as the count of readers: either they see the slot free, or this waits for them.
  slot->begin.store(0, std::memory_order_seq_cst);
  const bool unread = WaitForReaders();
  const std::lock_guard<std::mutex> lock(mutex_);
  --size_;
  // Where somebody may read it still, it stays as it is.
  if (!unread) return;
  delete slot->record.exchange(nullptr, std::memory_order_relaxed);
  free_.push_back(slot);
}

bool CodeMap::Find(uintptr_t address, CodePlace* place) const {
  readers_.fetch_add(1, std::memory_order_seq_cst);
  bool found = false;
  for (const Chunk* chunk = first_; chunk != nullptr && !found; chunk = chunk->next.load(std::memory_order_acquire)) {
    for (const internal::CodeMapSlot& slot : chunk->slots) {
      const uintptr_t begin = slot.begin.load(std::memory_order_seq_cst);
      const uintptr_t end = slot.end.load(std::memory_order_relaxed);
      if (begin == 0 || address < begin || address >= end) continue;
      const internal::CodeMapRecord& record = *slot.record.load(std::memory_order_relaxed);
      place->offset = address - begin;
      place->code_bytes = end - begin;
      CopyText(record.name, place->kernel);
      place->mark[0] = '\0';
      const auto behind = std::upper_bound(record.marks.begin(), record.marks.end(), place->offset,
                                           [](size_t offset, const CodeMark& mark) { return offset < mark.offset; });
      if (behind != record.marks.begin()) CopyText(std::prev(behind)->text, place->mark);
      found = true;
      break;
    }
  }
  readers_.fetch_sub(1, std::memory_order_seq_cst);
  return found;
}

size_t CodeMap::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return size_;
}

}  // namespace burin::jit

#include "runtime/plugins/cpu/constants/packed_weights.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "ir/storage.h"
#include "runtime/executor/work_split.h"

namespace burin::cpu {

namespace {

// Returns the fingerprint of the elements of a dense tensor. A file's constant may know it.
Hash128 HashOf(const ir::Tensor& dense) {
  const ir::Storage& storage = *dense.storage();
  const bool whole = dense.storage_offset() == 0 && dense.byte_size() == storage.size();
  return whole ? storage.ContentHash() : HashBytes(dense.data(), dense.byte_size());
}

Hash128 KeyOf(const ir::Tensor& dense, const WeightPacking& packing, int numa_node) {
  Hasher hasher;
  hasher.Update(HashOf(dense));
  hasher.UpdateInt(dense.byte_size());
  hasher.Update(packing.form);
  hasher.UpdateInt(packing.packed_bytes);
  hasher.UpdateInt(numa_node);
  return hasher.Finish();
}

// Large is a source from this size on, whose pages are given back at least so many times while it is packed, unless it
// has fewer items; each time after as many chunks, so that a team has enough of them.
constexpr size_t kLargeSourceBytes = size_t{4} << 20;
constexpr int64_t kReleases = 16;
constexpr int64_t kChunksPerRelease = 2;

absl::StatusOr<std::unique_ptr<const AlignedBuffer>> Pack(const ir::Tensor& dense, const WeightPacking& packing,
                                                          WeightPacking::Run run, executor::Team* team) {
  const int members = team != nullptr ? team->size() : 1;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer packed, AlignedBuffer::Create(static_cast<size_t>(packing.packed_bytes)));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch,
                         AlignedBuffer::Create(static_cast<size_t>(packing.scratch_bytes * members)));
  const bool releases = packing.reads_in_order && dense.byte_size() >= kLargeSourceBytes;
  const int64_t least_chunks = kChunksPerRelease * std::max<int64_t>(kReleases, members);
  const executor::WorkSplit split =
      releases ? executor::WorkSplit::Fixed(packing.work_items, std::max<int64_t>(1, packing.work_items / least_chunks))
               : executor::WorkSplit::Dynamic(packing.work_items, 1, members);
  const auto pack = [&](int64_t chunk, int member) {
    const executor::ItemRange range = split.Range(chunk);
    void* const own = static_cast<char*>(scratch.data()) + member * packing.scratch_bytes;
    run(dense.data(), packed.data(), own, range.begin, range.end);
    // All of it: what others are still reading comes back, and what nobody has read is not there.
    if (releases && chunk % kChunksPerRelease == 0) MappedFile::ReleasePages(dense.data(), dense.byte_size());
  };
  if (team != nullptr) {
    team->Share(split.chunks(), pack);
  } else {
    for (int64_t chunk = 0; chunk < split.chunks(); ++chunk) pack(chunk, 0);
  }
  return std::make_unique<const AlignedBuffer>(std::move(packed));
}

}  // namespace

class PackedWeightsStore::State : public std::enable_shared_from_this<State> {
 public:
  // Returns the weights of `key`, or null: then the caller makes them, and calls Publish() or Abandon().
  std::shared_ptr<const AlignedBuffer> FindOrBegin(const Hash128& key) {
    const absl::MutexLock lock(&mutex_);
    while (true) {
      const auto [entry, is_new] = entries_.try_emplace(key);
      if (is_new) return nullptr;
      if (!entry->second.is_made) {
        change_.Wait(&mutex_);
        continue;
      }
      std::shared_ptr<const AlignedBuffer> weights = entry->second.weights.lock();
      if (weights != nullptr) return weights;
      // The last one has just let go, and its deleter waits for the lock: it will find another maker's entry.
      entry->second = Entry();
      return nullptr;
    }
  }

  std::shared_ptr<const AlignedBuffer> Publish(const Hash128& key, std::unique_ptr<const AlignedBuffer> made) {
    const AlignedBuffer* const address = made.release();
    std::shared_ptr<const AlignedBuffer> weights(address, [state = shared_from_this(), key](const AlignedBuffer* gone) {
      state->Forget(key, gone);
      delete gone;
    });
    const absl::MutexLock lock(&mutex_);
    entries_[key] = {true, weights, address};
    bytes_ += static_cast<int64_t>(weights->size());
    ++count_;
    change_.SignalAll();
    return weights;
  }

  void Abandon(const Hash128& key) {
    const absl::MutexLock lock(&mutex_);
    entries_.erase(key);
    change_.SignalAll();
  }

  int64_t bytes() const {
    const absl::MutexLock lock(&mutex_);
    return bytes_;
  }
  int64_t count() const {
    const absl::MutexLock lock(&mutex_);
    return count_;
  }

 private:
  struct Entry {
    bool is_made = false;
    std::weak_ptr<const AlignedBuffer> weights;
    // Of the weights, also when the last one has let go.
    const AlignedBuffer* address = nullptr;
  };

  void Forget(const Hash128& key, const AlignedBuffer* gone) {
    const absl::MutexLock lock(&mutex_);
    bytes_ -= static_cast<int64_t>(gone->size());
    --count_;
    const auto entry = entries_.find(key);
    // The entry may be of weights that were made since.
    if (entry != entries_.end() && entry->second.address == gone) entries_.erase(entry);
  }

  mutable absl::Mutex mutex_;
  absl::CondVar change_;
  std::map<Hash128, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t count_ ABSL_GUARDED_BY(mutex_) = 0;
};

PackedWeightsStore& PackedWeightsStore::Process() {
  static auto* const store = new PackedWeightsStore;
  return *store;
}

PackedWeightsStore::PackedWeightsStore() : state_(std::make_shared<State>()) {}

PackedWeightsStore::~PackedWeightsStore() = default;

absl::StatusOr<std::shared_ptr<const AlignedBuffer>> PackedWeightsStore::Get(const ir::Tensor& source,
                                                                             const WeightPacking& packing,
                                                                             WeightPacking::Run run, int numa_node,
                                                                             executor::Team* team) {
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, source.ToDense());
  const Hash128 key = KeyOf(dense, packing, numa_node);
  std::shared_ptr<const AlignedBuffer> weights = state_->FindOrBegin(key);
  if (weights != nullptr) return weights;
  absl::StatusOr<std::unique_ptr<const AlignedBuffer>> made = Pack(dense, packing, run, team);
  if (!made.ok()) {
    state_->Abandon(key);
    return made.status();
  }
  return state_->Publish(key, *std::move(made));
}

int64_t PackedWeightsStore::bytes() const { return state_->bytes(); }
int64_t PackedWeightsStore::count() const { return state_->count(); }

absl::StatusOr<std::shared_ptr<const AlignedBuffer>> PackWeights(const ir::Tensor& source, const WeightPacking& packing,
                                                                 WeightPacking::Run run, const NodeContext& context) {
  PackedWeightsStore& store =
      context.packed_weights != nullptr ? *context.packed_weights : PackedWeightsStore::Process();
  return store.Get(source, packing, run, context.numa_node, context.team);
}

}  // namespace burin::cpu

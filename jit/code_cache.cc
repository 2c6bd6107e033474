#include "jit/code_cache.h"

#include <algorithm>
#include <condition_variable>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/debug/fault_locator.h"

namespace burin::jit {

// The generation of one kernel, which ends for all who wait at once. Its members are guarded by the cache's mutex; but
// the last to leave must not hold it, as the reference is given back then.
struct CodeCache::Flight {
  // Who generates.
  const std::thread::id thread = std::this_thread::get_id();
  int waiters = 0;
  bool landed = false;
  // How it ended; the code only where somebody waits.
  absl::Status status;
  CachedCode code;
  std::condition_variable landing;
};

CodeCache& CodeCache::Process() {
  static CodeCache& cache = *new CodeCache(kDefaultMaxBytes);
  return cache;
}

CodeCache::CodeCache(size_t max_bytes, CodeMemory& memory) : memory_(memory), max_bytes_(max_bytes) {
  InstallFaultLocatorIfAsked();
}

CodeCache::~CodeCache() {
  BURIN_CHECK(flights_.empty()) << "code is being generated";
  BURIN_CHECK_EQ(idle_.size(), entries_.size()) << "code is still in use";
}

absl::StatusOr<CachedCode> CodeCache::GetOrGenerate(const CodeKey& key, Generator generate) {
  std::shared_ptr<Flight> flight;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (CachedCode code = Refer(key)) return code;
    std::shared_ptr<Flight>& present = flights_[key];
    if (present != nullptr) {
      flight = present;
      if (WouldDeadlock(*flight)) {
        return absl::InternalError(
            absl::StrCat("A kernel asks for itself while it is generated: key ", key.hash().ToHex()));
      }
      return Wait(flight, lock);
    }
    present = std::make_shared<Flight>();
    flight = present;
    ++stats_.generations;
  }
  return Land(key, flight, Generate(generate));
}

CachedCode CodeCache::Find(const CodeKey& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return Refer(key);
}

void CodeCache::SetMaxBytes(size_t max_bytes) {
  Evicted evicted;
  const std::lock_guard<std::mutex> lock(mutex_);
  max_bytes_ = max_bytes;
  EvictTo(max_bytes_, evicted);
}

CodeCache::Stats CodeCache::GetStats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Stats stats = stats_;
  stats.kernels = entries_.size();
  stats.idle = idle_.size();
  return stats;
}

absl::Status CodeCache::Verify() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  size_t bytes = 0;
  size_t unused = 0;
  for (const auto& [key, entry] : entries_) {
    bytes += entry->code.memory_bytes();
    const bool idle = entry->idle.empty();
    if (idle) ++unused;
    const int64_t references = entry->references.load(std::memory_order_relaxed);
    if (idle != (references == 0)) {
      return absl::InternalError(
          absl::StrCat("C1: ", entry->code.name(), idle ? " is idle" : " is in use", ", references: ", references));
    }
  }
  if (unused != idle_.size()) return absl::InternalError(absl::StrCat("C1: idle ", idle_.size(), " of ", unused));
  if (bytes != stats_.bytes) return absl::InternalError(absl::StrCat("C2: ", stats_.bytes, " bytes of ", bytes));
  if (bytes > max_bytes_ && !idle_.empty()) {
    return absl::InternalError(absl::StrCat("C3: ", idle_.size(), " idle at ", bytes, " bytes of ", max_bytes_));
  }
  return absl::OkStatus();
}

CachedCode CodeCache::Refer(const CodeKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    ++stats_.misses;
    return CachedCode();
  }
  ++stats_.hits;
  Entry* const entry = found->second.get();
  if (entry->references.fetch_add(1, std::memory_order_relaxed) == 0) {
    entry->idle.splice(entry->idle.begin(), idle_, entry->place);
  }
  return CachedCode(this, entry);
}

void CodeCache::EvictTo(size_t max_bytes, Evicted& evicted) {
  while (stats_.bytes > max_bytes && !idle_.empty()) {
    const auto found = entries_.find(idle_.front()->key);
    idle_.pop_front();
    stats_.bytes -= found->second->code.memory_bytes();
    ++stats_.evictions;
    evicted.push_back(std::move(found->second));
    entries_.erase(found);
  }
}

bool CodeCache::WouldDeadlock(const Flight& flight) const {
  const std::thread::id self = std::this_thread::get_id();
  // Whoever waits was asked this before, so that the chain has an end.
  for (const Flight* next = &flight; next != nullptr;) {
    if (next->thread == self) return true;
    const auto waiting = std::find_if(waiting_.begin(), waiting_.end(),
                                      [&](const auto& waiter) { return waiter.first == next->thread; });
    next = waiting == waiting_.end() ? nullptr : waiting->second;
  }
  return false;
}

absl::StatusOr<CachedCode> CodeCache::Wait(const std::shared_ptr<Flight>& flight, std::unique_lock<std::mutex>& lock) {
  const std::pair<std::thread::id, const Flight*> waiter(std::this_thread::get_id(), flight.get());
  waiting_.push_back(waiter);
  ++flight->waiters;
  while (!flight->landed) flight->landing.wait(lock);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), waiter));
  if (!flight->status.ok()) return flight->status;
  return flight->code;
}

absl::StatusOr<ExecutableCode> CodeCache::Generate(Generator generate) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, generate());
  absl::StatusOr<ExecutableCode> code = ExecutableCode::Load(blob, memory_);
  if (code.status().code() != absl::StatusCode::kResourceExhausted) return code;
  {
    Evicted evicted;
    const std::lock_guard<std::mutex> lock(mutex_);
    EvictTo(0, evicted);
  }
  return ExecutableCode::Load(blob, memory_);
}

absl::StatusOr<CachedCode> CodeCache::Land(const CodeKey& key, const std::shared_ptr<Flight>& flight,
                                           absl::StatusOr<ExecutableCode> code) {
  Evicted evicted;
  const std::lock_guard<std::mutex> lock(mutex_);
  flights_.erase(key);
  flight->landed = true;
  flight->landing.notify_all();
  if (!code.ok()) {
    ++stats_.failures;
    flight->status = code.status();
    return flight->status;
  }
  auto entry = std::make_unique<Entry>(key, *std::move(code));
  CachedCode result(this, entry.get());
  stats_.bytes += entry->code.memory_bytes();
  entries_.emplace(key, std::move(entry));
  if (flight->waiters > 0) flight->code = result;
  EvictTo(max_bytes_, evicted);
  return result;
}

void CodeCache::Release(Entry* entry) {
  int64_t references = entry->references.load(std::memory_order_relaxed);
  while (references > 1) {
    if (entry->references.compare_exchange_weak(references, references - 1, std::memory_order_release,
                                                std::memory_order_relaxed)) {
      return;
    }
  }
  Evicted evicted;
  const std::lock_guard<std::mutex> lock(mutex_);
  // Somebody else may have asked for it meanwhile.
  if (entry->references.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  idle_.splice(idle_.end(), entry->idle);
  EvictTo(max_bytes_, evicted);
}

CachedCode::CachedCode(const CachedCode& other) : cache_(other.cache_), entry_(other.entry_) {
  if (entry_ != nullptr) entry_->references.fetch_add(1, std::memory_order_relaxed);
}

CachedCode::CachedCode(CachedCode&& other) noexcept
    : cache_(other.cache_), entry_(std::exchange(other.entry_, nullptr)) {}

CachedCode& CachedCode::operator=(const CachedCode& other) {
  if (this != &other) *this = CachedCode(other);
  return *this;
}

CachedCode& CachedCode::operator=(CachedCode&& other) noexcept {
  // What this one referred to is released here, not when `other` dies.
  CachedCode taken(std::move(other));
  std::swap(cache_, taken.cache_);
  std::swap(entry_, taken.entry_);
  return *this;
}

CachedCode::~CachedCode() {
  if (entry_ != nullptr) cache_->Release(entry_);
}

}  // namespace burin::jit

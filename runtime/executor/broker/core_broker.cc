#include "runtime/executor/broker/core_broker.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "runtime/executor/broker/core_sharing.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/fork_watch.h"

namespace burin::executor {

// Who has what.
struct CoreLease::Book {
  std::vector<CoreHolding> Holdings() const {
    std::vector<CoreHolding> all;
    for (const auto& entry : holdings) all.push_back(entry.second);
    return all;
  }

  const int64_t forks = ForkCount();
  std::mutex mutex;
  // Both are guarded by mutex.
  std::map<int64_t, CoreHolding> holdings;
  int64_t next_id = 1;
};

CoreLease::CoreLease(CoreLease&& other) noexcept { *this = std::move(other); }

CoreLease& CoreLease::operator=(CoreLease&& other) noexcept {
  if (this == &other) return *this;
  GiveBack();
  book_ = std::exchange(other.book_, nullptr);
  id_ = other.id_;
  cpus_ = std::exchange(other.cpus_, CpuSet());
  reason_ = std::exchange(other.reason_, std::string());
  return *this;
}

CoreLease::~CoreLease() { GiveBack(); }

void CoreLease::GiveBack() {
  // In a forked child another thread of the parent may have held the mutex.
  if (book_ == nullptr || book_->forks != ForkCount()) return;
  std::lock_guard<std::mutex> lock(book_->mutex);
  book_->holdings.erase(id_);
}

CoreBroker::CoreBroker() : book_(std::make_shared<CoreLease::Book>()) {}

CoreBroker& CoreBroker::OfProcess() {
  static std::atomic<CoreBroker*> current{nullptr};
  CoreBroker* broker = current.load(std::memory_order_acquire);
  while (broker == nullptr || broker->book_->forks != ForkCount()) {
    auto fresh = std::make_unique<CoreBroker>();
    if (current.compare_exchange_strong(broker, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  }
  return *broker;
}

absl::StatusOr<CoreLease> CoreBroker::Lease(std::string owner, const CpuTopology& usable, const CoreDemand& demand,
                                            Choose choose) {
  std::lock_guard<std::mutex> lock(book_->mutex);
  BURIN_ASSIGN_OR_RETURN(const CoreOffer offer, OfferCores(usable, book_->Holdings(), demand));
  BURIN_ASSIGN_OR_RETURN(CpuSet cpus, choose(offer));
  BURIN_CHECK(cpus.IsSubsetOf(offer.cpus)) << cpus.ToString() << " of " << offer.cpus.ToString();
  CoreLease lease;
  lease.book_ = book_;
  lease.id_ = book_->next_id++;
  lease.cpus_ = cpus;
  lease.reason_ = offer.reason;
  book_->holdings[lease.id_] = {std::move(owner), std::move(cpus), demand.reserve};
  return lease;
}

std::vector<CoreHolding> CoreBroker::holdings() const {
  std::lock_guard<std::mutex> lock(book_->mutex);
  return book_->Holdings();
}

}  // namespace burin::executor

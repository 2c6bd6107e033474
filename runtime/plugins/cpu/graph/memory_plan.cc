#include "runtime/plugins/cpu/graph/memory_plan.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace burin::cpu {

namespace {

// A request with its number and its bytes rounded up.
struct Item {
  int64_t first = 0;
  int64_t last = 0;
  int64_t bytes = 0;

  bool MeetsInTime(const Item& other) const { return first <= other.last && other.first <= last; }
};

// Indices of items, in which they are placed.
using Order = std::vector<size_t>;

struct Placement {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};

// Places items one by one: each into the smallest gap, between those alive with it, that holds it, the lowest of equal
// ones, or above all of them.
class Placer {
 public:
  explicit Placer(const std::vector<Item>& items) : items_(items) {
    placed_.reserve(items.size());
    neighbours_.reserve(items.size());
  }

  Placement Place(const Order& order) {
    Placement placement;
    placement.offsets.assign(items_.size(), 0);
    placed_.clear();
    for (const size_t index : order) {
      const int64_t offset = OffsetFor(items_[index], placement.offsets);
      placement.offsets[index] = offset;
      placement.bytes = std::max(placement.bytes, offset + items_[index].bytes);
      placed_.push_back(index);
    }
    return placement;
  }

 private:
  int64_t OffsetFor(const Item& item, const std::vector<int64_t>& offsets) {
    neighbours_.clear();
    for (const size_t other : placed_) {
      if (item.MeetsInTime(items_[other])) neighbours_.emplace_back(offsets[other], items_[other].bytes);
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    int64_t end = 0;
    int64_t best = -1;
    int64_t least_gap = std::numeric_limits<int64_t>::max();
    for (const auto& [offset, bytes] : neighbours_) {
      const int64_t gap = offset - end;
      if (gap >= item.bytes && gap < least_gap) {
        best = end;
        least_gap = gap;
      }
      end = std::max(end, offset + bytes);
    }
    return best >= 0 ? best : end;
  }

  const std::vector<Item>& items_;
  Order placed_;
  std::vector<std::pair<int64_t, int64_t>> neighbours_;
};

// Returns for each item the most bytes that are alive in one of its steps, and the most of all.
std::pair<std::vector<int64_t>, int64_t> Crowding(const std::vector<Item>& items) {
  // Bytes change where an item begins and behind its end: steps between are alike.
  std::vector<int64_t> steps;
  for (const Item& item : items) {
    steps.push_back(item.first);
    steps.push_back(item.last);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const auto index_of = [&](int64_t step) {
    return static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
  };
  std::vector<int64_t> change(steps.size() + 1, 0);
  for (const Item& item : items) {
    change[index_of(item.first)] += item.bytes;
    change[index_of(item.last) + 1] -= item.bytes;
  }
  std::vector<int64_t> alive(steps.size(), 0);
  std::partial_sum(change.begin(), change.end() - 1, alive.begin());
  std::vector<int64_t> crowding;
  for (const Item& item : items) {
    crowding.push_back(*std::max_element(alive.begin() + static_cast<ptrdiff_t>(index_of(item.first)),
                                         alive.begin() + static_cast<ptrdiff_t>(index_of(item.last)) + 1));
  }
  const int64_t most = alive.empty() ? 0 : *std::max_element(alive.begin(), alive.end());
  return {std::move(crowding), most};
}

// Returns the items by `key`, the greatest first, in their own order where it is equal.
template <typename Key>
Order By(size_t count, Key key) {
  Order order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) > key(b); });
  return order;
}

// Moves an item that ends highest to the front of the order, or to a place drawn at times, again and again, while the
// tries last: what was placed late found no gap. Goes on from what is worse, too: the best is kept aside. Draws from a
// seed that is always the same.
void Improve(Order order, int64_t least_bytes, int64_t tries, const std::vector<Item>& items, Placer& placer,
             Placement& best) {
  std::minstd_rand random(1);
  for (int64_t i = 0; i < tries && best.bytes > least_bytes; ++i) {
    Placement placement = placer.Place(order);
    const auto ends_highest = [&](size_t index) {
      return placement.offsets[index] + items[index].bytes == placement.bytes;
    };
    const auto highest = std::find_if(order.begin(), order.end(), ends_highest);
    const bool drawn = highest == order.begin() || random() % 4 == 0;
    const auto to = order.begin() + static_cast<ptrdiff_t>(drawn ? random() % order.size() : 0);
    if (to <= highest) {
      std::rotate(to, highest, highest + 1);
    } else {
      std::rotate(highest, highest + 1, to + 1);
    }
    if (placement.bytes < best.bytes) best = std::move(placement);
  }
}

}  // namespace

absl::StatusOr<MemoryPlan> PlanMemory(absl::Span<const MemoryRequest> requests, int64_t alignment) {
  BURIN_CHECK(alignment > 0 && (alignment & (alignment - 1)) == 0) << "not a power of two: " << alignment;
  // A placement looks at all pairs: fewer tries where there are many requests, so that a thousand take milliseconds.
  constexpr int64_t kPairs = int64_t{1} << 26;
  constexpr int64_t kMostTries = 400;

  std::vector<Item> items;
  std::vector<size_t> number;
  int64_t sum = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    const MemoryRequest& request = requests[i];
    if (request.last < request.first || request.bytes < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Memory request ", i, " is not one: steps ", request.first, " to ",
                                                     request.last, ", bytes ", request.bytes));
    }
    if (request.bytes == 0) continue;
    if (request.bytes > std::numeric_limits<int64_t>::max() - alignment - sum) {
      return absl::ResourceExhaustedError(
          absl::StrCat("The values of the graph do not fit any memory: more than ", sum, " bytes"));
    }
    const int64_t bytes = (request.bytes + alignment - 1) & ~(alignment - 1);
    sum += bytes;
    items.push_back({request.first, request.last, bytes});
    number.push_back(i);
  }

  const auto [crowding, least_bytes] = Crowding(items);
  MemoryPlan plan;
  plan.least_bytes = least_bytes;
  plan.offsets.assign(requests.size(), 0);
  if (items.empty()) return plan;

  const int64_t count = static_cast<int64_t>(items.size());
  const auto length = [&](size_t i) { return items[i].last - items[i].first + 1; };
  const Order orders[] = {
      By(items.size(), [&](size_t i) { return items[i].bytes; }),
      By(items.size(), [&, &crowd = crowding](size_t i) { return std::make_pair(crowd[i], items[i].bytes); }),
      By(items.size(), [&](size_t i) { return std::make_pair(length(i), items[i].bytes); }),
      By(items.size(), [&](size_t i) { return static_cast<double>(items[i].bytes) * static_cast<double>(length(i)); }),
      By(items.size(), [&](size_t i) { return -items[i].first; }),
  };
  Placer placer(items);
  Placement best = placer.Place(orders[0]);
  for (const Order& order : orders) {
    Placement placement = placer.Place(order);
    if (placement.bytes < best.bytes) best = std::move(placement);
  }
  const int64_t tries = std::min(kMostTries, kPairs / (count * count));
  for (const Order& order : orders) Improve(order, least_bytes, tries, items, placer, best);

  plan.bytes = best.bytes;
  for (size_t i = 0; i < items.size(); ++i) plan.offsets[number[i]] = best.offsets[i];
  return plan;
}

}  // namespace burin::cpu

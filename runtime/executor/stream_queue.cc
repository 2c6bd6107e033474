#include "runtime/executor/stream_queue.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"

namespace burin::executor {

StreamQueue::StreamQueue(const std::vector<std::optional<int>>& nodes) {
  for (const std::optional<int>& node : nodes) {
    if (node.has_value() && LineOf(node) == 0) nodes_.push_back(*node);
    line_of_stream_.push_back(LineOf(node));
  }
  lines_.resize(nodes_.size() + 1);
  spare_.resize(nodes.size());
  // The first stream is the first to be taken.
  for (size_t i = nodes.size(); i > 0; --i) free_.push_back(static_cast<int>(i) - 1);
}

size_t StreamQueue::LineOf(std::optional<int> node) const {
  if (!node.has_value()) return 0;
  const auto it = std::find(nodes_.begin(), nodes_.end(), *node);
  return it == nodes_.end() ? 0 : static_cast<size_t>(it - nodes_.begin()) + 1;
}

const StreamQueue::Line* StreamQueue::NextLine(int stream) const {
  const Line& any = lines_[0];
  const Line& own = lines_[line_of_stream_[static_cast<size_t>(stream)]];
  if (any.empty()) return own.empty() ? nullptr : &own;
  if (own.empty()) return &any;
  return any.front().number < own.front().number ? &any : &own;
}

int StreamQueue::Take(std::optional<int> node) {
  for (size_t i = free_.size(); i > 0; --i) {
    const int stream = free_[i - 1];
    if (node.has_value() && line_of_stream_[static_cast<size_t>(stream)] != LineOf(node)) continue;
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    return stream;
  }
  return kNone;
}

int StreamQueue::TakePreferred(absl::FunctionRef<bool(int stream)> preferred) {
  const auto found = std::find_if(free_.rbegin(), free_.rend(), preferred);
  if (found == free_.rend()) return Take(std::nullopt);
  const int stream = *found;
  free_.erase(std::next(found).base());
  return stream;
}

void StreamQueue::Push(Entry entry, std::optional<int> node) {
  BURIN_DCHECK(!node.has_value() || HasNode(*node));
  if (spare_.empty()) spare_.emplace_back();
  Line& line = lines_[LineOf(node)];
  line.splice(line.end(), spare_, spare_.begin());
  if (entry.caller == nullptr) ++tasks_;
  line.back().entry = std::move(entry);
  line.back().number = next_number_++;
}

const StreamQueue::Entry* StreamQueue::Next(int stream) const {
  const Line* line = NextLine(stream);
  return line == nullptr ? nullptr : &line->front().entry;
}

StreamQueue::Entry StreamQueue::Pop(int stream) {
  const Line* next = NextLine(stream);
  BURIN_DCHECK(next != nullptr);
  Line& line = lines_[static_cast<size_t>(next - lines_.data())];
  Entry entry = std::move(line.front().entry);
  line.front().entry = Entry();
  spare_.splice(spare_.begin(), line, line.begin());
  if (entry.caller == nullptr) --tasks_;
  return entry;
}

void StreamQueue::Free(int stream) {
  BURIN_DCHECK(NextLine(stream) == nullptr);
  free_.push_back(stream);
}

}  // namespace burin::executor

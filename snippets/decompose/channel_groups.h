// Splits the channels of a value into groups, and merges them again, as views of memory.
//
// For normalisation by groups, and the rules that move the two towards memory. A plain value, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_CHANNEL_GROUPS_H_
#define BURIN_SNIPPETS_DECOMPOSE_CHANNEL_GROUPS_H_

#include <cstdint>
#include <optional>

#include "ir/model.h"
#include "snippets/decompose/formula.h"

namespace burin::snippets {

// Is a division of dimension `axis`, which has `channels`, of a shape of rank `rank` into `groups` of the same size.
struct ChannelGroups {
  int64_t rank = 0;
  int64_t axis = 1;
  int64_t channels = 0;
  int64_t groups = 1;

  // Returns [..., C, ...] as [..., G, C / G, ...]: Reshape(Unsqueeze(value, axis), [0, ..., G, C / G, 0, ...]). A 0 of
  // the pattern copies a dimension, which keeps those that are not known before the kernel runs.
  ir::Value Split(Formula& formula, ir::Value value) const;
  // Returns [..., G, C / G, ...] as [..., C, ...]: Squeeze(Reshape(value, [0, ..., 1, C, 0, ...]), axis).
  ir::Value Merge(Formula& formula, ir::Value value) const;

  friend bool operator==(const ChannelGroups& a, const ChannelGroups& b) {
    return a.rank == b.rank && a.axis == b.axis && a.channels == b.channels && a.groups == b.groups;
  }
};

// Says how an operand of an element-wise operation, whose output is to be split, has to be changed.
enum class OperandSplit : uint8_t {
  kKeep,       // It does not reach the channels, counted from the innermost dimension.
  kUnsqueeze,  // It has one channel, which becomes two dimensions of extent 1.
  kSplit,      // It has all channels.
  kUnknown,    // How many it has is not known.
};

// Is that, and the dimension of the operand that has the channels.
struct SplitOperand {
  OperandSplit how = OperandSplit::kKeep;
  // Of the operand's own rank and axis; of kSplit and kUnsqueeze.
  ChannelGroups groups;
};

// Returns what becomes of `operand`, which broadcasts by NumPy's rule to an output that is split by `output`.
SplitOperand SplitOperandOf(const ir::Model& model, ir::Value operand, const ChannelGroups& output);

// Is a Split or Merge that a body holds, and what it reads.
struct GroupedView {
  ChannelGroups groups;
  ir::Value source;
};

// Returns the Split whose last node is `node`, or nullopt.
std::optional<GroupedView> FindSplit(const ir::Model& model, const ir::Node& node);
// Returns the Merge whose last node is `node`, or nullopt.
std::optional<GroupedView> FindMerge(const ir::Model& model, const ir::Node& node);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_CHANNEL_GROUPS_H_

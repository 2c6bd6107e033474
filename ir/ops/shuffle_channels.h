// The attributes of ShuffleChannels. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SHUFFLE_CHANNELS_H_
#define BURIN_IR_OPS_SHUFFLE_CHANNELS_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct ShuffleChannelsAttributes final : AttributesOf<ShuffleChannelsAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t axis = 1;   // The channel dimension; negative counts from the end.
  int64_t group = 1;  // The number of groups of channels.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("group", group);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SHUFFLE_CHANNELS_H_

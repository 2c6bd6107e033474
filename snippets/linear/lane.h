// Says how elements of a type are computed with in lanes of 32 bits, and whether they are at all.
//
// Use it wherever an element type decides between emitters, or a body is refused. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_LANE_H_
#define BURIN_SNIPPETS_LINEAR_LANE_H_

#include <cstdint>
#include <optional>

#include "base/element_type.h"

namespace burin::snippets {

// Names what a lane holds: a float, an integer in the range of its element's type, or a truth value, 0 or 1.
enum class Lane : uint8_t { kFloat, kInteger, kBoolean };

// Returns the lanes of elements of `type`; nullopt where lanes of 32 bits do not hold them.
std::optional<Lane> LaneOf(ElementType type);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_LANE_H_

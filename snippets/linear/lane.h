// Says how elements of a type are computed with in lanes of vector registers, and whether they are at all.
//
// Lanes have 32 bits, but of the types of 64 bits 64: then a vector, which has as many elements of either, takes two
// registers (jit/emitters/wide/wide_function.h).
//
// Use it wherever an element type decides between emitters, or a body is refused. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_LANE_H_
#define BURIN_SNIPPETS_LINEAR_LANE_H_

#include <cstdint>
#include <optional>

#include "base/element_type.h"

namespace burin::snippets {

// Names what a lane holds: a float, an integer in the range of its element's type, or a truth value, 0 or 1; in 64 bits
// a double or an integer.
enum class Lane : uint8_t { kFloat, kInteger, kBoolean, kF64, kI64 };

// Returns the lanes of elements of `type`; nullopt where there are none.
std::optional<Lane> LaneOf(ElementType type);

// Return whether elements of `type`, or such lanes, have 64 bits, and the registers that a vector of them takes.
constexpr bool IsWide(ElementType type) { return type == ElementType::kF64 || type == ElementType::kI64; }
constexpr bool IsWide(Lane lane) { return lane == Lane::kF64 || lane == Lane::kI64; }
constexpr int RegistersOfVector(ElementType type) { return IsWide(type) ? 2 : 1; }

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_LANE_H_

// Says how long each value of a linear IR is needed.
//
// Use it in code generation, which gives registers back after the last use. Plain data.
#ifndef BURIN_SNIPPETS_LINEAR_LIVENESS_H_
#define BURIN_SNIPPETS_LINEAR_LIVENESS_H_

#include <cstdint>
#include <vector>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Holds, by value, where it is defined and used.
struct Liveness {
  // The block of its definition, and the item of that block which uses it last: a use inside of a loop is one by the
  // loop. An item's own definition where nothing uses it.
  std::vector<const LinearBlock*> block;
  std::vector<int32_t> last_item;
  // How often it is used.
  std::vector<int32_t> uses;

  // Returns that of `ir`.
  static Liveness Of(const LinearIr& ir);
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_LIVENESS_H_

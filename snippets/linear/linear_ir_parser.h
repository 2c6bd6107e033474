// Reads the text form of a linear IR.
//
// Use it for what a person wrote or a dump kept: tests of code generation, tools, bug reports. Not on the way from a
// body to code, which no text lies on. Stateless, thread-safe.
//
// The text is what LinearIr::ToString() prints; blanks, line ends and comments (`//` up to the end of the line) may
// stand between any two tokens:
//
//   axis a0 parallel              // a0, a1, ... in their order; one of them is `vector`
//   axis a1 vector                // `vector in 3`, `vector in 3 whole`: no loop, but 3 vectors at once
//   input0: f32 [a0,a1]           // input, output or buffer and its port; `strided` where not contiguous,
//                                 // `strided by 2` where each second element is its own
//   input0.1: f32 [a0]            // the second operand of the same port
//   output0: f32 [a0]
//   for a0 {
//     %0 f32[a0] = Begin(sum a1)
//     for a1 by vectors {          // `by vectors ahead of input0`: brings the next iteration of a0 closer
//       %1 f32[a0,a1] = Load(input0)
//       %2 f32[a0,a1] = Clamp {min = 0, max = 6} %1
//       Step(sum a1) %0, %2
//     }
//     %3 f32[a0] = End(sum a1) %0
//     Store(output0) %3
//   }
#ifndef BURIN_SNIPPETS_LINEAR_LINEAR_IR_PARSER_H_
#define BURIN_SNIPPETS_LINEAR_LINEAR_IR_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Returns the kernel that `text` describes, verified and without a name; expressions are numbered as they stand in the
// text. Its ToString() is the text again where that came from ToString(). InvalidArgument with line and column for what
// is no such text, or with the invariant for a kernel that breaks one. Takes memory in proportion to the text, whatever
// it says.
absl::StatusOr<LinearIr> ParseLinearIr(absl::string_view text);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_LINEAR_IR_PARSER_H_

// Prints single tensor elements and doubles so that they read back bit for bit, and reads them.
//
// A number prints with the fewest digits that give the same bits again; infinities as `inf` and `-inf`; a NaN, and a
// boolean byte other than 0 and 1, as its bits in hexadecimal (`0x7fc00000`). For texts that a program reads again;
// Tensor::ToString is for people. Stateless, thread-safe.
#ifndef BURIN_IR_FORMS_ELEMENT_TEXT_H_
#define BURIN_IR_FORMS_ELEMENT_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "base/element_type.h"

namespace burin::ir {

// Appends element `index` of the dense array of `type` at `data`; requires a type that has elements (not kUndefined,
// not kString). Data need not be aligned.
void AppendElementText(ElementType type, const void* data, int64_t index, std::string* text);

// Reads one element into the array; besides what AppendElementText prints, `nan`, `true`, `false`, and numbers that the
// type rounds. Returns false, leaving the array as it is, for a malformed number or one outside of the type's range.
bool ParseElementText(absl::string_view text, ElementType type, void* data, int64_t index);

// Appends a double, or reads one, by the same rules.
void AppendDoubleText(double value, std::string* text);
bool ParseDoubleText(absl::string_view text, double* value);

// Reads a decimal integer without spaces or plus sign; false for anything else, or a value out of range.
bool ParseIntegerText(absl::string_view text, int64_t* value);

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_ELEMENT_TEXT_H_

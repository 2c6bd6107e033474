// Prints and parses the attributes of one operation in the textual form of a model: `{axis = 1, mode = numpy}`.
//
// Values: `true`, `false`, integers, doubles (ir/forms/element_text.h), strings in quotes, lists in brackets, names of
// element types and enumerators, shapes as PartialShape prints them, tensors as `f32[2]{1, 2.5}` and, without a value,
// `none`. For ir/text.h, and for the facade, which takes and shows single attributes in the same form. Stateless,
// thread-safe.
#ifndef BURIN_IR_FORMS_ATTRIBUTE_TEXT_H_
#define BURIN_IR_FORMS_ATTRIBUTE_TEXT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/attributes.h"
#include "ir/forms/text_scanner.h"

namespace burin::ir {

// Returns, in braces, the attributes that differ from `defaults`, which are of the same type; empty where none does. A
// tensor of more than `max_elements` elements (negative: never) prints as `f32[1000]#` and its content hash.
std::string PrintAttributes(const Attributes& attributes, const Attributes& defaults, int64_t max_elements);

// Takes attributes in braces, if they come next, and assigns those named. InvalidArgument with line and column for a
// malformed value, and a name that is unknown or given twice.
absl::Status ParseAttributes(TextScanner* scanner, Attributes* attributes);

// Returns every attribute's name and text, in the order of VisitAttributes; tensors as in PrintAttributes.
std::vector<std::pair<std::string, std::string>> AttributeTextsOf(const Attributes& attributes, int64_t max_elements);

// Assigns one attribute. Its text is as above, or a string as it is: without quotes. InvalidArgument naming the
// attribute for a malformed value, and listing the attributes there are for an unknown name.
absl::Status ParseAttribute(absl::string_view name, absl::string_view text, Attributes* attributes);

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_ATTRIBUTE_TEXT_H_

// Sets the attributes of any operation by their names, so that code which builds many kinds of nodes needs none of
// their attribute structs.
//
// For tests and tools only: a name that the operation does not have aborts. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_ATTRIBUTE_VALUES_H_
#define BURIN_TRANSFORMATIONS_FUZZ_ATTRIBUTE_VALUES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"

namespace burin::transformations {

// An attribute's name and value. An enumeration is given by one of its names, as a text.
struct AttributeValue {
  AttributeValue(const char* attribute, bool given) : name(attribute), value(given) {}
  AttributeValue(const char* attribute, int given) : name(attribute), value(int64_t{given}) {}
  AttributeValue(const char* attribute, int64_t given) : name(attribute), value(given) {}
  AttributeValue(const char* attribute, double given) : name(attribute), value(given) {}
  AttributeValue(const char* attribute, const char* given) : name(attribute), value(std::string(given)) {}
  AttributeValue(const char* attribute, std::string given) : name(attribute), value(std::move(given)) {}
  AttributeValue(const char* attribute, std::vector<int64_t> given) : name(attribute), value(std::move(given)) {}
  AttributeValue(const char* attribute, ElementType given) : name(attribute), value(given) {}
  AttributeValue(const char* attribute, ir::PartialShape given) : name(attribute), value(std::move(given)) {}

  const char* name;
  std::variant<bool, int64_t, double, std::string, std::vector<int64_t>, ElementType, ir::PartialShape> value;
};

// Returns the operation's default attributes with these in their place.
std::unique_ptr<ir::Attributes> MakeAttributesOf(const ir::OpDef& op, const std::vector<AttributeValue>& values);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_ATTRIBUTE_VALUES_H_

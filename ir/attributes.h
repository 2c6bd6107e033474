// The attributes of an operation, and the one visitor through which everything generic reads and writes them.
//
// An operation with attributes declares a struct derived from `AttributesOf<Self>` and names each member once, in
// VisitAttributes(); hashing, printing, parsing, serialising, comparing and cloning all go through that. Not
// thread-safe while being visited by a writing visitor.
//
//   struct SoftmaxAttributes final : AttributesOf<SoftmaxAttributes> {
//     int64_t axis = 1;
//     void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("axis", axis); }
//   };
#ifndef BURIN_IR_ATTRIBUTES_H_
#define BURIN_IR_ATTRIBUTES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::ir {

// Receives each attribute of an operation: its name, and a reference that a writing visitor may assign.
// Names are lower_snake_case, as in OpenVINO's operation specifications.
class AttributeVisitor {
 public:
  virtual ~AttributeVisitor() = default;
  virtual void Visit(const char* name, bool& value) = 0;
  virtual void Visit(const char* name, int64_t& value) = 0;
  virtual void Visit(const char* name, double& value) = 0;
  virtual void Visit(const char* name, std::string& value) = 0;
  virtual void Visit(const char* name, std::vector<int64_t>& value) = 0;
  virtual void Visit(const char* name, std::vector<double>& value) = 0;
  virtual void Visit(const char* name, std::vector<std::string>& value) = 0;
  virtual void Visit(const char* name, ElementType& value) = 0;
  virtual void Visit(const char* name, PartialShape& value) = 0;
  virtual void Visit(const char* name, Tensor& value) = 0;

  // Visits an enumeration with an EnumNames specialisation (base/enum_names.h); it prints as one of the names.
  template <class E, class = std::enable_if_t<std::is_enum<E>::value>>
  void Visit(const char* name, E& value) {
    std::vector<absl::string_view> names;
    int64_t index = -1;
    for (const auto& entry : EnumNames<E>::kEntries) {
      if (index < 0 && entry.value == value) index = static_cast<int64_t>(names.size());
      names.push_back(entry.name);
    }
    BURIN_CHECK(index >= 0) << "attribute " << name << " holds no enumerator";
    VisitEnum(name, names, index);
    value = EnumNames<E>::kEntries[static_cast<size_t>(index)].value;
  }

 protected:
  // Receives an enumeration as an index into `names`; a writing visitor keeps `index` inside them.
  virtual void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) = 0;
};

class Attributes {
 public:
  virtual ~Attributes() = default;
  // Calls the visitor once for each attribute, always in the same order.
  virtual void VisitAttributes(AttributeVisitor& visitor) = 0;
  virtual std::unique_ptr<Attributes> Clone() const = 0;
  // Identifies the concrete type: the address differs between types and is the same for all objects of one.
  virtual const void* TypeTag() const = 0;

  // Visits a constant object: only for visitors that do not assign.
  void VisitAttributes(AttributeVisitor& visitor) const { const_cast<Attributes*>(this)->VisitAttributes(visitor); }

 protected:
  Attributes() = default;
  Attributes(const Attributes&) = default;
  Attributes& operator=(const Attributes&) = default;
};

template <class Self>
class AttributesOf : public Attributes {
 public:
  using Attributes::VisitAttributes;
  static const void* StaticTypeTag() {
    static const char tag = 0;
    return &tag;
  }
  std::unique_ptr<Attributes> Clone() const override { return std::make_unique<Self>(static_cast<const Self&>(*this)); }
  const void* TypeTag() const override { return StaticTypeTag(); }
};

// The attributes of an operation that has none.
struct NoAttributes final : AttributesOf<NoAttributes> {
  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor&) override {}
};

// Returns `attributes` as the concrete type, or null if they are of another.
template <class T>
const T* AttributesAs(const Attributes& attributes) {
  return attributes.TypeTag() == T::StaticTypeTag() ? static_cast<const T*>(&attributes) : nullptr;
}

}  // namespace burin::ir

#endif  // BURIN_IR_ATTRIBUTES_H_

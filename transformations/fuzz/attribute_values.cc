#include "transformations/fuzz/attribute_values.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "ir/tensor.h"

namespace burin::transformations {
namespace {

// Assigns one attribute.
class Setter final : public ir::AttributeVisitor {
 public:
  explicit Setter(const AttributeValue& value) : value_(value) {}

  bool found() const { return found_; }

  void Visit(const char* name, bool& value) override { Assign(name, &value); }
  void Visit(const char* name, int64_t& value) override { Assign(name, &value); }
  void Visit(const char* name, double& value) override { Assign(name, &value); }
  void Visit(const char* name, std::string& value) override { Assign(name, &value); }
  void Visit(const char* name, std::vector<int64_t>& value) override { Assign(name, &value); }
  void Visit(const char*, std::vector<double>&) override {}
  void Visit(const char*, std::vector<std::string>&) override {}
  void Visit(const char* name, ElementType& value) override { Assign(name, &value); }
  void Visit(const char* name, ir::PartialShape& value) override { Assign(name, &value); }
  void Visit(const char*, ir::Tensor&) override {}

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    std::string text;
    if (!Assign(name, &text)) return;
    const auto it = std::find(names.begin(), names.end(), text);
    BURIN_CHECK(it != names.end()) << "attribute " << name << " has no value " << text;
    index = it - names.begin();
  }

 private:
  template <class T>
  bool Assign(absl::string_view name, T* target) {
    if (name != value_.name) return false;
    const T* const given = std::get_if<T>(&value_.value);
    BURIN_CHECK(given != nullptr) << "attribute " << value_.name << " is of another type";
    *target = *given;
    found_ = true;
    return true;
  }

  const AttributeValue& value_;
  bool found_ = false;
};

}  // namespace

std::unique_ptr<ir::Attributes> MakeAttributesOf(const ir::OpDef& op, const std::vector<AttributeValue>& values) {
  std::unique_ptr<ir::Attributes> attributes = op.make_attributes();
  for (const AttributeValue& value : values) {
    Setter setter(value);
    attributes->VisitAttributes(setter);
    BURIN_CHECK(setter.found()) << op.name << " has no attribute " << value.name;
  }
  return attributes;
}

}  // namespace burin::transformations

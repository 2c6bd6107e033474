#include "ir/attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin {

enum class Mode { kNumpy, kExplicit, kUnnamed };

template <>
struct EnumNames<Mode> {
  // "none" is a second spelling of explicit.
  static constexpr EnumEntry<Mode> kEntries[] = {
      {Mode::kNumpy, "numpy"}, {Mode::kExplicit, "explicit"}, {Mode::kExplicit, "none"}};
};

namespace ir {
namespace {

struct AllKinds final : AttributesOf<AllKinds> {
  bool flag = true;
  int64_t axis = -1;
  double epsilon = 0.5;
  std::string id = "x";
  std::vector<int64_t> pads = {1, 2};
  std::vector<double> scales = {0.25};
  std::vector<std::string> names = {"a", "b"};
  ElementType type = ElementType::kF16;
  PartialShape shape = {1, Dimension()};
  Tensor value;
  Mode mode = Mode::kExplicit;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("flag", flag);
    visitor.Visit("axis", axis);
    visitor.Visit("epsilon", epsilon);
    visitor.Visit("id", id);
    visitor.Visit("pads", pads);
    visitor.Visit("scales", scales);
    visitor.Visit("names", names);
    visitor.Visit("type", type);
    visitor.Visit("shape", shape);
    visitor.Visit("value", value);
    visitor.Visit("mode", mode);
  }
};

struct Other final : AttributesOf<Other> {
  void VisitAttributes(AttributeVisitor&) override {}
};

class Printer final : public AttributeVisitor {
 public:
  using AttributeVisitor::Visit;
  void Visit(const char* name, bool& value) override { Add(name, value ? "true" : "false"); }
  void Visit(const char* name, int64_t& value) override { Add(name, absl::StrCat(value)); }
  void Visit(const char* name, double& value) override { Add(name, absl::StrCat(value)); }
  void Visit(const char* name, std::string& value) override { Add(name, value); }
  void Visit(const char* name, std::vector<int64_t>& value) override { Add(name, absl::StrJoin(value, "|")); }
  void Visit(const char* name, std::vector<double>& value) override { Add(name, absl::StrJoin(value, "|")); }
  void Visit(const char* name, std::vector<std::string>& value) override { Add(name, absl::StrJoin(value, "|")); }
  void Visit(const char* name, ElementType& value) override { Add(name, Name(value)); }
  void Visit(const char* name, PartialShape& value) override { Add(name, value.ToString()); }
  void Visit(const char* name, Tensor& value) override { Add(name, value.ToString()); }

  const std::string& text() const { return text_; }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Add(name, absl::StrCat(names[static_cast<size_t>(index)], " of ", absl::StrJoin(names, "|")));
  }

 private:
  void Add(const char* name, absl::string_view value) { absl::StrAppend(&text_, name, "=", value, ";"); }
  std::string text_;
};

// Sets every integer to 7 and every enumeration to its first name.
class Writer final : public AttributeVisitor {
 public:
  using AttributeVisitor::Visit;
  void Visit(const char*, bool&) override {}
  void Visit(const char*, int64_t& value) override { value = 7; }
  void Visit(const char*, double&) override {}
  void Visit(const char*, std::string&) override {}
  void Visit(const char*, std::vector<int64_t>&) override {}
  void Visit(const char*, std::vector<double>&) override {}
  void Visit(const char*, std::vector<std::string>&) override {}
  void Visit(const char*, ElementType&) override {}
  void Visit(const char*, PartialShape&) override {}
  void Visit(const char*, Tensor&) override {}

 protected:
  void VisitEnum(const char*, absl::Span<const absl::string_view>, int64_t& index) override { index = 0; }
};

TEST(AttributesTest, VisitsEveryKindInOrder) {
  const AllKinds attributes;
  Printer printer;
  attributes.VisitAttributes(printer);
  EXPECT_EQ(printer.text(),
            "flag=true;axis=-1;epsilon=0.5;id=x;pads=1|2;scales=0.25;names=a|b;type=f16;shape=[1,?];"
            "value=(no tensor);mode=explicit of numpy|explicit|none;");
}

TEST(AttributesTest, AWritingVisitorAssigns) {
  AllKinds attributes;
  Writer writer;
  attributes.VisitAttributes(writer);
  EXPECT_EQ(attributes.axis, 7);
  EXPECT_EQ(attributes.mode, Mode::kNumpy);
  EXPECT_TRUE(attributes.flag);
}

TEST(AttributesTest, ClonesAreIndependent) {
  AllKinds attributes;
  const std::unique_ptr<Attributes> clone = attributes.Clone();
  attributes.axis = 3;
  const AllKinds* const typed = AttributesAs<AllKinds>(*clone);
  ASSERT_NE(typed, nullptr);
  EXPECT_EQ(typed->axis, -1);
}

TEST(AttributesTest, TypeTagsTellTypesApart) {
  const AllKinds first;
  const AllKinds second;
  const Other other;
  EXPECT_EQ(first.TypeTag(), second.TypeTag());
  EXPECT_NE(first.TypeTag(), other.TypeTag());
  EXPECT_NE(other.TypeTag(), NoAttributes().TypeTag());
  EXPECT_EQ(AttributesAs<Other>(first), nullptr);
  EXPECT_EQ(AttributesAs<Other>(other), &other);
}

TEST(AttributesTest, NoAttributesVisitsNothing) {
  const NoAttributes attributes;
  Printer printer;
  attributes.VisitAttributes(printer);
  EXPECT_EQ(printer.text(), "");
}

TEST(AttributesDeathTest, AnEnumeratorWithoutANameIsABug) {
  AllKinds attributes;
  attributes.mode = Mode::kUnnamed;
  Printer printer;
  EXPECT_DEATH(attributes.VisitAttributes(printer), "attribute mode holds no enumerator");
}

}  // namespace
}  // namespace ir
}  // namespace burin

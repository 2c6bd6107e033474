#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

std::string ModelOf(ElementType from, ElementType middle, ElementType to) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", Name(from), ", shape = [?]}\n",
                      "  %1 = Convert(%0) {destination_type = ", Name(middle), "}\n",
                      "  %2 \"c\" = Convert(%1) {destination_type = ", Name(to), "}\n  %3 \"out\" = Result(%2)\n}");
}

std::string Merged(ElementType from, ElementType to) {
  std::string text =
      absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", Name(from), ", shape = [?]}\n");
  if (from == to) return absl::StrCat(text, "  %3 \"out\" = Result(%0)\n}");
  return absl::StrCat(text, "  %2 \"c\" = Convert(%0) {destination_type = ", Name(to),
                      "}\n  %3 \"out\" = Result(%2)\n}");
}

// Returns tensors with what a type of 16 bits or less can hold, and a sample of the wider ones.
RewriteTestOptions AllElements(ElementType type) {
  RewriteTestOptions options;
  const int bits = BitWidth(type);
  const int64_t count = bits < 16 ? int64_t{1} << bits : int64_t{1} << 16;
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(type, {type == ElementType::kBoolean ? 2 : count});
  EXPECT_OK(tensor);
  auto* bytes = static_cast<unsigned char*>(tensor->mutable_data());
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    if (bits < 8) {
      bytes[i * bits / 8] = static_cast<unsigned char>(bytes[i * bits / 8] | (i << (i * bits % 8)));
      continue;
    }
    // The bits in use are the upper ones, and the lowest.
    const int width = bits / 8;
    bytes[i * width + width - 1] = static_cast<unsigned char>(width == 1 ? i : i >> 8);
    if (width > 1) bytes[i * width + width - 2] = static_cast<unsigned char>(i);
    if (width > 2) bytes[i * width] = static_cast<unsigned char>(i * 37);
  }
  options.inputs.push_back({*std::move(tensor)});
  return options;
}

// Every chain of three types: merged where the rule says so, and then the same for every number.
TEST(ConvertChainsTest, MergesWhatIsTheSameForEveryNumber) {
  const std::vector<ElementType> types = {
      ElementType::kBoolean, ElementType::kI4,     ElementType::kU4,         ElementType::kI8,    ElementType::kU8,
      ElementType::kI16,     ElementType::kU16,    ElementType::kI32,        ElementType::kU32,   ElementType::kI64,
      ElementType::kU64,     ElementType::kF16,    ElementType::kBf16,       ElementType::kF32,   ElementType::kF64,
      ElementType::kF8E5M2,  ElementType::kF8E8M0, ElementType::kF8E4M3FNUZ, ElementType::kF4E2M1};
  int merged = 0;
  for (const ElementType from : types) {
    const RewriteTestOptions options = AllElements(from);
    for (const ElementType middle : types) {
      for (const ElementType to : types) {
        const std::string text = ModelOf(from, middle, to);
        ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(text));
        ASSERT_OK_AND_ASSIGN(auto patch, ConvertChains(*model, model->FindNode("c"), ir::PassContext()));
        if (!patch.has_value()) continue;
        SCOPED_TRACE(text);
        const std::unique_ptr<ir::Model> after = model->Clone();
        ASSERT_OK(std::move(*patch).Apply(after.get()));
        ASSERT_OK(CheckEquivalent(*model, *after, options));
        ++merged;
      }
    }
  }
  EXPECT_GT(merged, 1000);
}

void ExpectMerged(ElementType from, ElementType middle, ElementType to) {
  ExpectRewrites(&ConvertChains, ModelOf(from, middle, to), Merged(from, to));
}

void ExpectKept(ElementType from, ElementType middle, ElementType to) {
  ExpectUnchanged(&ConvertChains, ModelOf(from, middle, to));
}

TEST(ConvertChainsTest, ThereAndBack) {
  ExpectMerged(ElementType::kF16, ElementType::kF32, ElementType::kF16);
  ExpectMerged(ElementType::kI32, ElementType::kI64, ElementType::kI32);
  ExpectMerged(ElementType::kI32, ElementType::kU32, ElementType::kI32);
  ExpectMerged(ElementType::kU8, ElementType::kF32, ElementType::kU8);
  ExpectMerged(ElementType::kI16, ElementType::kF32, ElementType::kI16);
  ExpectMerged(ElementType::kBoolean, ElementType::kI64, ElementType::kBoolean);
  ExpectKept(ElementType::kF32, ElementType::kF16, ElementType::kF32);
  ExpectKept(ElementType::kBf16, ElementType::kF16, ElementType::kBf16);
  ExpectKept(ElementType::kF16, ElementType::kBf16, ElementType::kF16);
  ExpectKept(ElementType::kI64, ElementType::kI32, ElementType::kI64);
  ExpectKept(ElementType::kI32, ElementType::kF32, ElementType::kI32);
  ExpectKept(ElementType::kI32, ElementType::kBoolean, ElementType::kI32);
  ExpectKept(ElementType::kF32, ElementType::kI32, ElementType::kF32);
}

TEST(ConvertChainsTest, OnTheWay) {
  ExpectMerged(ElementType::kF16, ElementType::kF32, ElementType::kI32);
  ExpectMerged(ElementType::kU8, ElementType::kF16, ElementType::kF32);
  ExpectMerged(ElementType::kI64, ElementType::kI32, ElementType::kI16);
  ExpectMerged(ElementType::kI8, ElementType::kI32, ElementType::kF32);
  ExpectMerged(ElementType::kBoolean, ElementType::kF32, ElementType::kI8);
  ExpectMerged(ElementType::kF32, ElementType::kF64, ElementType::kBoolean);
  // Rounds twice.
  ExpectKept(ElementType::kF64, ElementType::kF32, ElementType::kF16);
  ExpectKept(ElementType::kI64, ElementType::kF64, ElementType::kF32);
  // From a float it saturates.
  ExpectKept(ElementType::kI16, ElementType::kF32, ElementType::kI8);
  ExpectKept(ElementType::kI8, ElementType::kF32, ElementType::kU8);
}

TEST(ConvertChainsTest, SmallFloatsAreNoPlaceToComeBackTo) {
  ExpectKept(ElementType::kF8E5M2, ElementType::kF32, ElementType::kF8E5M2);
  ExpectMerged(ElementType::kF8E5M2, ElementType::kF16, ElementType::kF32);
  ExpectKept(ElementType::kF8E8M0, ElementType::kF16, ElementType::kF32);
}

TEST(ConvertChainsTest, KeepsTheOuterAttributesAndTheMark) {
  ExpectRewrites(&ConvertChains,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?]}
  %1 = Convert(%0) {destination_type = f32} info("decompression" = "kept")
  %2 = Convert(%1) {destination_type = f8e5m2, saturate = false}
  %3 "out" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?]}
  %2 = Convert(%0) {destination_type = f8e5m2, saturate = false}
  %3 "out" = Result(%2)
})");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {element_type = u4, shape = [?]}
  %1 = Convert(%0) {destination_type = f16} info("decompression" = "kept")
  %2 "c" = Convert(%1) {destination_type = f32}
  %3 "out" = Result(%2)
})"));
  ASSERT_OK_AND_ASSIGN(auto patch, ConvertChains(*model, model->FindNode("c"), ir::PassContext()));
  ASSERT_TRUE(patch.has_value());
  ASSERT_OK(std::move(*patch).Apply(model.get()));
  EXPECT_EQ(model->node(model->FindNode("c")).runtime_info().at("decompression"), "kept");
}

TEST(ConvertChainsTest, OthersKeepTheInnerOne) {
  ExpectRewrites(&ConvertChains,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?]}
  %1 = Convert(%0) {destination_type = f32}
  %2 = Convert(%1) {destination_type = f16}
  %3 "out" = Result(%2)
  %4 "out2" = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?]}
  %1 = Convert(%0) {destination_type = f32}
  %3 "out" = Result(%0)
  %4 "out2" = Result(%1)
})");
}

TEST(ConvertChainsTest, TellsWhatItDeclines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       ir::ParseModel(ModelOf(ElementType::kF32, ElementType::kF16, ElementType::kF32)));
  EXPECT_THAT(Explain(&ConvertChains, *model, model->FindNode("c"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("f32 to f16 to f32 is another conversion than f32 to f32")));
}

}  // namespace
}  // namespace burin::transformations

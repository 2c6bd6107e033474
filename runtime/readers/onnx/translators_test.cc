#include "runtime/readers/onnx/translators.h"

#include <tuple>

#include "absl/types/span.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

TEST(TranslatorsTest, FindsEntries) {
  const TranslatorEntry* const relu = FindTranslator("", "Relu");
  ASSERT_NE(relu, nullptr);
  ASSERT_NE(relu->op_def, nullptr);
  EXPECT_STREQ(relu->op_def().name, "Relu");
  const TranslatorEntry* const conv = FindTranslator("", "Conv");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->translate, &TranslateConv);
  EXPECT_EQ(conv->op_def, nullptr);
}

TEST(TranslatorsTest, DomainsAreApart) {
  EXPECT_NE(FindTranslator("com.microsoft", "FusedMatMul"), nullptr);
  EXPECT_EQ(FindTranslator("", "FusedMatMul"), nullptr);
  EXPECT_EQ(FindTranslator("ai.onnx", "Relu"), nullptr);
  EXPECT_EQ(FindTranslator("", ""), nullptr);
  EXPECT_EQ(FindTranslator("zzz", "Relu"), nullptr);
}

TEST(TranslatorsTest, TheWholeTableIsSortedAndFound) {
  const absl::Span<const TranslatorEntry> all = AllTranslators();
  ASSERT_GT(all.size(), 200u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(FindTranslator(all[i].domain, all[i].op), &all[i]) << all[i].op;
    EXPECT_NE(all[i].translate, nullptr);
    if (i > 0) {
      EXPECT_LT(std::tie(all[i - 1].domain, all[i - 1].op), std::tie(all[i].domain, all[i].op)) << all[i].op;
    }
  }
}

}  // namespace
}  // namespace burin::onnx

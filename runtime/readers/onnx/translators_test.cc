#include "runtime/readers/onnx/translators.h"

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

}  // namespace
}  // namespace burin::onnx

#include "tools/kernel_bench/families/references.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "jit/emitters/catalogue.h"
#include "jit/emitters/catalogue_entry.h"

namespace burin::kernel_bench {
namespace {

double Of(const char* name, const std::vector<double>& inputs) {
  const std::optional<FunctionReference> reference = FindReference(name);
  EXPECT_TRUE(reference.has_value()) << name;
  return reference.has_value() ? reference->function(inputs.data()) : 0;
}

TEST(ReferencesTest, KnowsEveryFunctionOfTheCatalogue) {
  std::string missing;
  for (const jit::CatalogueEntry& entry : jit::EmitterCatalogue()) {
    if (!FindReference(entry.function.name).has_value()) missing += " " + entry.function.name;
  }
  EXPECT_EQ(missing, "");
}

TEST(ReferencesTest, SomeValues) {
  EXPECT_FALSE(FindReference("NoFunction").has_value());
  EXPECT_DOUBLE_EQ(Of("Exp", {1}), 2.718281828459045);
  EXPECT_DOUBLE_EQ(Of("Sigmoid", {0}), 0.5);
  EXPECT_DOUBLE_EQ(Of("Relu", {-3}), 0);
  EXPECT_DOUBLE_EQ(Of("Relu", {3}), 3);
  EXPECT_NEAR(Of("GeluErf", {1}), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(Of("GeluTanh", {1}), 0.8411919906082768, 1e-15);
}

TEST(ReferencesTest, ParametersAreInTheName) {
  EXPECT_DOUBLE_EQ(Of("LeakyRelu(0.25)", {-4}), -1);
  EXPECT_DOUBLE_EQ(Of("HardSigmoid(0.2,0.5)", {1}), 0.7);
  EXPECT_DOUBLE_EQ(Of("Shrink(1.5,-1)", {2}), 0.5);
  EXPECT_DOUBLE_EQ(Of("Celu(1e-40)", {-1}), -1e-40);
  EXPECT_DOUBLE_EQ(Of("FakeQuantize(3,0,2,0,20)", {1.4}), 10);
  EXPECT_DOUBLE_EQ(Of("FakeQuantize(3)", {1.6, 0, 2, 0, 20}), 20);
  EXPECT_DOUBLE_EQ(Of("IsInf(negative)", {-HUGE_VAL}), 1);
  EXPECT_FALSE(FindReference("LeakyRelu").has_value());
  EXPECT_FALSE(FindReference("LeakyRelu(1,2)").has_value());
  EXPECT_FALSE(FindReference("LeakyRelu(x)").has_value());
}

TEST(ReferencesTest, RangesAreWhereTheFunctionIs) {
  for (const jit::CatalogueEntry& entry : jit::EmitterCatalogue()) {
    const std::optional<FunctionReference> reference = FindReference(entry.function.name);
    if (!reference.has_value()) continue;
    EXPECT_LT(reference->low, reference->high) << entry.function.name;
  }
}

}  // namespace
}  // namespace burin::kernel_bench

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace burin {
namespace {

TEST(NlohmannJsonTest, ParsesAndPrints) {
  const nlohmann::json json = nlohmann::json::parse(R"({"b": [1, 2], "a": null})", nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["b"][1], 2);
  EXPECT_EQ(json.dump(), R"({"a":null,"b":[1,2]})");
}

TEST(NlohmannJsonTest, ReportsErrorsWithoutExceptions) {
  EXPECT_TRUE(nlohmann::json::parse("{", nullptr, /*allow_exceptions=*/false).is_discarded());
}

}  // namespace
}  // namespace burin

#include "tools/benchmark/port_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = relu(x), z = x
Model Toy() {
  absl::StatusOr<std::unique_ptr<ir::Model>> graph = ir::ParseModel(R"(model "toy" {
    %0 "x" = Parameter() {element_type = f32, shape = [4]} : f32[4] names("x:0")
    %1 "relu" = Relu(%0) : f32[4] names("y:0")
    %2 "y" = Result(%1) : f32[4]
    %3 "z" = Result(%0) : f32[4]
  })");
  EXPECT_OK(graph);
  return Model(std::shared_ptr<ir::Model>(*std::move(graph)));
}

std::string Types(const Model& model) {
  std::string types;
  for (const Port& port : model.inputs()) types += std::string(Name(port.element_type)) + " ";
  for (const Port& port : model.outputs()) types += std::string(Name(port.element_type)) + " ";
  return types;
}

TEST(PortTypesTest, AllInputsAndAllOutputs) {
  const Model toy = Toy();
  ASSERT_OK_AND_ASSIGN(Model model, ConvertPorts(toy, {"u8", "f16", ""}));
  EXPECT_EQ(Types(model), "u8 f16 f16 ");
  EXPECT_OK(model.Validate());
  EXPECT_EQ(Types(toy), "f32 f32 f32 ");
  // Ports are found by the names that they had.
  EXPECT_EQ(model.input("x:0")->element_type, ElementType::kU8);
  EXPECT_EQ(model.output("y:0")->element_type, ElementType::kF16);
}

TEST(PortTypesTest, NamesWin) {
  ASSERT_OK_AND_ASSIGN(Model model, ConvertPorts(Toy(), {"u8", "f16", "x:0:i32,z:f64"}));
  EXPECT_EQ(Types(model), "i32 f16 f64 ");
  ASSERT_OK_AND_ASSIGN(model, ConvertPorts(Toy(), {"", "", "y:i8"}));
  EXPECT_EQ(Types(model), "f32 i8 f32 ");
}

TEST(PortTypesTest, TheModelComputesAsBefore) {
  ASSERT_OK_AND_ASSIGN(Model model, ConvertPorts(Toy(), {"i8", "", "y:i32"}));
  ASSERT_OK_AND_ASSIGN(ir::Tensor x, ir::Tensor::Create(ElementType::kI8, {4}));
  for (int8_t i = 0; i < 4; ++i) x.mutable_data_as<int8_t>()[i] = static_cast<int8_t>(i - 2);
  ASSERT_OK_AND_ASSIGN(std::vector<ir::Tensor> outputs, model.Evaluate({x}));
  const int32_t* y = outputs[0].data_as<int32_t>();
  EXPECT_THAT(std::vector<int32_t>(y, y + 4), ElementsAre(0, 0, 0, 1));
  EXPECT_EQ(outputs[1].data_as<float>()[0], -2);
}

TEST(PortTypesTest, OtherTextIsRefused) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(ConvertPorts(Toy(), {"u9", "", ""}).status(), refused("Option -ip"));
  EXPECT_THAT(ConvertPorts(Toy(), {"", "undefined", ""}).status(), refused("Option -op"));
  EXPECT_THAT(ConvertPorts(Toy(), {"", "", "x"}).status(), refused("expected NAME:TYPE"));
  EXPECT_THAT(ConvertPorts(Toy(), {"", "", "w:u8"}).status(), refused("inputs: \"x:0\"; outputs: \"y:0\", \"x:0\""));
  EXPECT_THAT(ConvertPorts(Toy(), {"", "", "x:u8,x:i8"}).status(), refused("named twice"));
  EXPECT_THAT(ConvertPorts(Toy(), {"string", "", ""}).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("input \"x:0\" f32[4]")));
}

}  // namespace
}  // namespace burin::benchmark

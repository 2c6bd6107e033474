#include "tools/query/command.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "nlohmann/json.hpp"
#include "onnx/onnx.pb.h"
#include "runtime/api/core.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/version.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

// Supports everything but Relu. This program links no other device.
class PickyPlugin final : public Plugin {
 public:
  using Plugin::Plugin;

  Version GetVersion() const override { return {"1", "picky"}; }
  absl::Status SetProperties(const PropertyMap& properties) override { return configuration_.Apply(properties); }
  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    return configuration_.Read(PropertyScope::kDevice, name, {{"AVAILABLE_DEVICES", ""}});
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap&, bool) override {
    Compilation compilation;
    for (ir::NodeId id : model.NodeIds()) {
      const ir::Node& node = model.node(id);
      for (const std::string& name :
           node.original_names().empty() ? std::vector<std::string>{node.name()} : node.original_names()) {
        if (node.code() == ir::OpCode::kRelu) {
          compilation.refused.emplace_back(name, "a matter of taste");
        } else {
          compilation.supported.push_back(name);
        }
      }
    }
    return compilation;
  }

 private:
  Configuration configuration_{
      "Device PICKY",
      {*FindProperty("AVAILABLE_DEVICES"), *FindProperty("DEVICE_ID"), *FindProperty("SUPPORTED_PROPERTIES")}};
};

absl::StatusOr<std::unique_ptr<Plugin>> CreatePicky(const std::string& device_name) {
  return std::make_unique<PickyPlugin>(device_name);
}

}  // namespace

// As //runtime defines them, with the device of this test.
Core::Core() : Core(StaticPlugins()) {}

const std::vector<StaticPlugin>& StaticPlugins() {
  static const auto* const plugins = new std::vector<StaticPlugin>{{"PICKY", &CreatePicky}};
  return *plugins;
}

namespace query {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

void AddNode(onnx::GraphProto* graph, const char* type, const char* input, const char* output) {
  onnx::NodeProto* const node = graph->add_node();
  node->set_op_type(type);
  node->set_name(std::string("the_") + output);
  node->add_input(input);
  node->add_output(output);
}

void Describe(onnx::ValueInfoProto* value, const char* name) {
  value->set_name(name);
  onnx::TypeProto::Tensor* const type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(3);
}

// Writes y = type(abs(x)) and returns the path.
std::string WriteModel(const char* type) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(14);
  onnx::GraphProto* const graph = model.mutable_graph();
  graph->set_name("small");
  AddNode(graph, "Abs", "x", "a");
  AddNode(graph, type, "a", "y");
  Describe(graph->add_input(), "x");
  Describe(graph->add_output(), "y");
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/" + type + ".onnx";
  EXPECT_OK(WriteFileAtomically(path, model.SerializeAsString()));
  return path;
}

class CommandTest : public ::testing::Test {
 protected:
  absl::StatusOr<int> Run(const std::vector<std::string>& arguments) {
    output_.clear();
    return RunCommand(arguments, core_, &output_);
  }

  Core core_;
  std::string output_;
};

TEST_F(CommandTest, TellsAboutTheDeviceAlone) {
  EXPECT_THAT(Run({"-d", "PICKY"}), IsOkAndHolds(0));
  EXPECT_THAT(output_, StartsWith("device PICKY\n  PICKY 1 (picky)\nproperties\n"));
  EXPECT_THAT(output_, AllOf(HasSubstr("RW DEVICE_ID = \"\""), HasSubstr("RO AVAILABLE_DEVICES = \"\"")));
  EXPECT_THAT(output_, Not(HasSubstr("\nmodel")));
  EXPECT_THAT(Run({}), IsOkAndHolds(0));
  EXPECT_THAT(output_, StartsWith("device PICKY\n  PICKY 1 (picky)\n"));
}

TEST_F(CommandTest, ASupportedModelIsZero) {
  EXPECT_THAT(Run({"-m", WriteModel("Neg")}), IsOkAndHolds(0));
  EXPECT_THAT(output_, HasSubstr("supported 4, refused 0"));
}

TEST_F(CommandTest, ARefusedOperationIsOneAndToldWithItsReason) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/refused.json";
  EXPECT_THAT(Run({"-d", "PICKY", "-m", WriteModel("Relu"), "-json", path}), IsOkAndHolds(1));
  EXPECT_THAT(output_, AllOf(HasSubstr("supported 3, refused 1"),
                             HasSubstr("refused\n  1 Relu: a matter of taste\n    the_y\n")));
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(path));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["device"]["name"], "PICKY");
  EXPECT_EQ(json["model"]["refused"], 1);
  EXPECT_EQ(json["model"]["operations"].size(), 4u);
}

TEST_F(CommandTest, HelpAndWrongArguments) {
  EXPECT_THAT(Run({"-h"}), IsOkAndHolds(0));
  EXPECT_THAT(output_, AllOf(HasSubstr("-json FILE"), HasSubstr("-d DEVICE"), HasSubstr("-m FILE")));
  EXPECT_THAT(Run({"-x"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-x")));
  EXPECT_THAT(Run({"-d", "NONE"}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("NONE")));
  EXPECT_THAT(Run({"-m", "/nowhere/model.onnx"}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere")));
  EXPECT_FALSE(Run({"-json", "/nowhere/out.json"}).ok());
}

}  // namespace
}  // namespace query
}  // namespace burin

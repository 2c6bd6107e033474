#include "tools/models/network_testlib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluator.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/storage.h"
#include "ir/verifier.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/port.h"
#include "runtime/readers/onnx/onnx_reader.h"
#include "testing/gtest/status_matchers.h"
#include "testing/oracle/compare.h"
#include "tools/check/data_set.h"
#include "tools/models/builtin.h"
#include "tools/models/onnx_builder.h"

namespace burin::models {

namespace {

// What the reader may differ by: it splits some operations, with a rounding to f32 between the parts.
constexpr double kTolerance = 1e-5;

std::vector<std::string> Signature(const std::vector<Port>& ports) {
  std::vector<std::string> texts;
  for (const Port& port : ports) texts.push_back(ToString(port));
  return texts;
}

double RootMeanSquare(const ir::Tensor& tensor) {
  double sum = 0;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = tensor.data_as<float>()[i];
    sum += value * value;
  }
  return std::sqrt(sum / static_cast<double>(tensor.element_count()));
}

absl::Status SetBatch(const ir::Dimension& batch, ir::Model* model) {
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (const Port& port : InputPorts(*model)) {
    ir::PartialShape shape = port.shape;
    shape[0] = batch;
    shapes.emplace(static_cast<int64_t>(port.index), shape);
  }
  return model->Reshape(shapes);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> BuildThroughOnnx(const std::string& text) {
  BURIN_ASSIGN_OR_RETURN(Builtin network, Builtin::Parse(text));
  OnnxBuilder builder(network.name());
  BURIN_RETURN_IF_ERROR(network.Build(&builder));
  BURIN_ASSIGN_OR_RETURN(std::string bytes, builder.Finish());
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<ir::Storage> storage, ir::Storage::Allocate(bytes.size()));
  std::memcpy(storage->mutable_data(), bytes.data(), bytes.size());
  return onnx::ReadOnnxModelFromBytes(storage, "");
}

std::vector<ir::Tensor> Evaluate(const ir::Model& model, uint64_t seed) {
  const absl::StatusOr<check::DataSet> data = check::MakeDataSet(InputPorts(model), seed);
  const absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(model);
  EXPECT_OK(data);
  EXPECT_OK(evaluator);
  if (!data.ok() || !evaluator.ok()) return {};
  absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run(data->inputs);
  EXPECT_OK(outputs);
  return outputs.ok() ? *std::move(outputs) : std::vector<ir::Tensor>();
}

void ExpectSaneModel(const std::string& text) {
  SCOPED_TRACE(text);
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel(text));
  EXPECT_OK(ir::Verify(*model));
  for (const Port& port : OutputPorts(*model)) EXPECT_TRUE(port.shape.is_static()) << ToString(port);
  const std::vector<ir::Tensor> outputs = Evaluate(*model, 3);
  EXPECT_FALSE(outputs.empty());
  for (const ir::Tensor& output : outputs) {
    ASSERT_EQ(output.element_type(), ElementType::kF32);
    const double rms = RootMeanSquare(output);
    EXPECT_GT(rms, 0.02);
    EXPECT_LT(rms, 50);
  }
}

void ExpectOnnxComputesTheSame(const std::string& text) {
  SCOPED_TRACE(text);
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> built, BuildBuiltinModel(text));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> read, BuildThroughOnnx(text));
  EXPECT_EQ(Signature(InputPorts(*built)), Signature(InputPorts(*read)));
  EXPECT_EQ(Signature(OutputPorts(*built)), Signature(OutputPorts(*read)));

  const std::vector<ir::Tensor> expected = Evaluate(*built, 5);
  const std::vector<ir::Tensor> actual = Evaluate(*read, 5);
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_OK_AND_ASSIGN(oracle::Comparison comparison, oracle::Compare(actual[i], expected[i]));
    EXPECT_LT(comparison.max_scaled_error, kTolerance) << "output " << i << ": " << comparison.ToString();
  }
}

void ExpectBatchCanBeDynamic(const std::string& text) {
  SCOPED_TRACE(text);
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel(text));
  ASSERT_OK(SetBatch(ir::Dimension::Symbol("n"), model.get()));
  for (const Port& port : OutputPorts(*model)) EXPECT_TRUE(port.shape[0].is_dynamic()) << ToString(port);
  ASSERT_OK(SetBatch(3, model.get()));
  const std::vector<ir::Tensor> outputs = Evaluate(*model, 1);
  EXPECT_FALSE(outputs.empty());
  for (const ir::Tensor& output : outputs) EXPECT_EQ(output.shape().front(), 3);
}

int64_t WeightCount(const ir::Model& model) {
  int64_t count = 0;
  for (ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.code() != ir::OpCode::kConstant) continue;
    const ir::ValueInfo& info = node.output(0);
    if (info.type == ElementType::kF32 && info.shape.rank() > 0) count += info.shape.ElementCount().value();
  }
  return count;
}

}  // namespace burin::models

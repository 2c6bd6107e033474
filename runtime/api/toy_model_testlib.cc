#include "runtime/api/toy_model_testlib.h"

#include <cstdint>
#include <cstring>
#include <memory>

#include "base/check.h"
#include "ir/model.h"
#include "ir/ops/ops.h"

namespace burin {

Model ToyModel() {
  auto graph = std::make_shared<ir::Model>("toy");
  const ir::Value x = graph->AddParameter("x", ElementType::kF32, PartialShape({Dimension::Symbol("n"), 3})).value();
  Tensor bias = Tensor::Create(ElementType::kF32, {3}).value();
  const float values[] = {10, 20, 30};
  std::memcpy(bias.mutable_data(), values, sizeof(values));
  const ir::Value b = graph->AddConstant(bias, "b").value();
  const ir::Value relu = graph->Add(ir::ReluOp(), {x}, nullptr, "relu").value();
  const ir::Value sum = graph->Add(ir::AddOp(), {relu, b}, nullptr, "sum").value();
  BURIN_CHECK_OK(graph->AddResult(sum, "y").status());
  return Model(graph);
}

Tensor Row(const std::vector<float>& values) {
  Tensor tensor = Tensor::Create(ElementType::kF32, {static_cast<int64_t>(values.size()) / 3, 3}).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(float));
  return tensor;
}

std::vector<float> Elements(const Tensor& tensor) {
  const float* data = tensor.data_as<float>();
  return std::vector<float>(data, data + tensor.element_count());
}

}  // namespace burin

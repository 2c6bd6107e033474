#include "runtime/plugins/cpu/mlp_testlib.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "ir/partial_shape.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/plugin.h"

namespace burin::cpu {

std::unique_ptr<ir::Model> Mlp(const ir::Dimension& rows) {
  auto model = std::make_unique<ir::Model>("mlp");
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{rows, 24});
  const ir::Value w1 = *model->AddConstant(Varied({24, 40}, 2), "w1");
  const ir::Value b1 = *model->AddConstant(Varied({40}, 3), "b1");
  const ir::Value w2 = *model->AddConstant(Varied({40, 10}, 4), "w2");
  const ir::Value b2 = *model->AddConstant(Varied({10}, 5), "b2");
  const ir::Value first = *model->Add(ir::MatMulOp(), {x, w1}, nullptr, "first");
  const ir::Value hidden = *model->Add(ir::AddOp(), {first, b1}, nullptr, "hidden");
  const ir::Value relu = *model->Add(ir::ReluOp(), {hidden}, nullptr, "relu");
  const ir::Value second = *model->Add(ir::MatMulOp(), {relu, w2}, nullptr, "second");
  const ir::Value logits = *model->Add(ir::AddOp(), {second, b2}, nullptr, "logits");
  auto softmax = std::make_unique<ir::SoftmaxAttributes>();
  softmax->axis = 1;
  model->AddResult(*model->Add(ir::SoftmaxOp(), {logits}, std::move(softmax), "softmax"), "y").value();
  return model;
}

std::unique_ptr<ir::Model> ModelOf(absl::string_view text) { return ir::ParseModel(text).value(); }

ir::Tensor Varied(const ir::Shape& shape, int seed) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i + 1) * (seed + 0.7));
  return ir::F32(shape, values);
}

std::vector<ir::Tensor> Evaluated(const ir::Model& model, const std::vector<ir::Tensor>& inputs) {
  return ir::Evaluator::Create(model).value().Run(inputs).value();
}

std::shared_ptr<ICompiledModel> CompiledOnCpu(const ir::Model& model, const PropertyMap& properties) {
  return CreatePlugin("CPU").value()->CompileModel(model, properties).value();
}

void ExpectMlp(const ir::Tensor& result, const ir::Tensor& input) {
  ir::ExpectTensorNear(result, Evaluated(*Mlp(ir::Dimension()), {input})[0], 1e-5, 1e-6);
}

}  // namespace burin::cpu

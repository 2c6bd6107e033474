// A small model, what the reference evaluator says of it, and its compilation, for tests of the CPU device.
//
// What cannot be made fails the test or aborts. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_MLP_TESTLIB_H_
#define BURIN_RUNTIME_PLUGINS_CPU_MLP_TESTLIB_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/property_map.h"

namespace burin::cpu {

// Returns y = softmax(relu(x * w1 + b1) * w2 + b2), with x: f32[rows,24] and y: f32[rows,10].
std::unique_ptr<ir::Model> Mlp(const ir::Dimension& rows);

// Returns the model of the text.
std::unique_ptr<ir::Model> ModelOf(absl::string_view text);

// Returns an f32 tensor with elements of both signs below 1, which differ with `seed`.
ir::Tensor Varied(const ir::Shape& shape, int seed = 1);

// Returns the results of the reference evaluator.
std::vector<ir::Tensor> Evaluated(const ir::Model& model, const std::vector<ir::Tensor>& inputs);

// Compiles a model for the device "CPU".
std::shared_ptr<ICompiledModel> CompiledOnCpu(const ir::Model& model, const PropertyMap& properties = {});

// Expects a result of Mlp() for `input`.
void ExpectMlp(const ir::Tensor& result, const ir::Tensor& input);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_MLP_TESTLIB_H_

#include "tools/bisect/comparison.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/port.h"

namespace burin::bisect {
namespace {

absl::StatusOr<std::vector<ir::Tensor>> Run(Core* core, const std::string& device, const ir::Model& model,
                                            const std::vector<ir::Tensor>& inputs) {
  const Model handle(std::shared_ptr<ir::Model>(model.Clone()));
  BURIN_ASSIGN_OR_RETURN(const CompiledModel compiled, core->CompileModel(handle, device));
  if (inputs.size() != compiled.inputs().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The model has ", compiled.inputs().size(), " inputs; given are ", inputs.size()));
  }
  BURIN_ASSIGN_OR_RETURN(InferRequest request, compiled.CreateInferRequest());
  for (size_t i = 0; i < inputs.size(); ++i) BURIN_RETURN_IF_ERROR(request.SetInputTensor(i, inputs[i]));
  std::vector<ir::Tensor> outputs;
  const int runs = model.variables().empty() ? 1 : 2;
  for (int run = 0; run < runs; ++run) {
    BURIN_RETURN_IF_ERROR(request.Infer());
    for (size_t i = 0; i < compiled.outputs().size(); ++i) {
      BURIN_ASSIGN_OR_RETURN(const ir::Tensor output, request.GetOutputTensor(i));
      // The next run may write the same memory.
      BURIN_ASSIGN_OR_RETURN(ir::Tensor copy, output.Copy());
      outputs.push_back(std::move(copy));
    }
  }
  return outputs;
}

}  // namespace

RunModel RunOnDevice(Core* core, const std::string& device) {
  return [core, device](const ir::Model& model, const std::vector<ir::Tensor>& inputs) {
    return Run(core, device, model, inputs);
  };
}

Parting Compare(const ir::Model& model, const absl::StatusOr<std::vector<ir::Tensor>>& actual,
                const std::vector<ir::Tensor>& expected, const check::Bound& bound) {
  if (!actual.ok()) return {true, absl::StrCat("The model does not run: ", actual.status().message(), "\n")};
  const std::vector<Port> outputs = OutputPorts(model);
  std::vector<Port> ports;
  for (size_t i = 0; !outputs.empty() && i < actual->size(); ++i) ports.push_back(outputs[i % outputs.size()]);
  const absl::StatusOr<std::vector<check::Verdict>> verdicts = check::Judge(ports, *actual, expected, bound);
  if (!verdicts.ok()) return {true, absl::StrCat(verdicts.status().message(), "\n")};
  Parting parting;
  for (const check::Verdict& verdict : *verdicts) {
    if (verdict.holds) continue;
    parting.parts = true;
    absl::StrAppend(&parting.how, verdict.ToString(), "\n");
  }
  return parting;
}

}  // namespace burin::bisect

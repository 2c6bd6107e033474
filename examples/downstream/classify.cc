// classify MODEL.onnx [DEVICE]: runs a model once on inputs that count up from zero, and prints its outputs.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "burin/core.h"

#ifndef DOWNSTREAM_ABSEIL
#error "This is not the Abseil that the WORKSPACE declares."
#endif

namespace {

// Fills a tensor of float32 with i / n; any other type with zeros.
void Fill(const burin::Tensor& tensor) {
  std::memset(tensor.mutable_data(), 0, tensor.byte_size());
  if (tensor.element_type() != burin::ElementType::kF32) return;
  float* values = tensor.mutable_data_as<float>();
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    values[i] = static_cast<float>(i) / static_cast<float>(tensor.element_count());
  }
}

absl::Status Run(const std::string& path, const std::string& device) {
  burin::Core core;
  absl::StatusOr<burin::Model> model = core.ReadModel(path);
  if (!model.ok()) return model.status();
  absl::StatusOr<burin::CompiledModel> compiled = core.CompileModel(*model, device);
  if (!compiled.ok()) return compiled.status();
  absl::StatusOr<burin::InferRequest> request = compiled->CreateInferRequest();
  if (!request.ok()) return request.status();

  for (size_t i = 0; i < model->inputs().size(); ++i) {
    absl::StatusOr<burin::Tensor> input = request->GetInputTensor(i);
    if (!input.ok()) return input.status();
    Fill(*input);
  }
  const absl::Status status = request->Infer();
  if (!status.ok()) return status;
  for (size_t i = 0; i < model->outputs().size(); ++i) {
    absl::StatusOr<burin::Tensor> output = request->GetOutputTensor(i);
    if (!output.ok()) return output.status();
    std::printf("output %zu: %s\n", i, output->ToString(64).c_str());
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: classify MODEL.onnx [DEVICE]\n");
    return 2;
  }
  const absl::Status status = Run(argv[1], argc > 2 ? argv[2] : "");
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  return 0;
}

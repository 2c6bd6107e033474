// Measures the facade's own share of an inference: the device does nothing.

#include "runtime/api/infer_request.h"

#include <string>

#include "benchmark/benchmark.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/idle_model_testlib.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"

namespace burin {
namespace {

void BM_Infer(benchmark::State& state) {
  InferRequest request = IdleModel().CreateInferRequest().value();
  for (auto _ : state) {
    if (!request.Infer().ok()) state.SkipWithError("Infer failed");
  }
}
BENCHMARK(BM_Infer);

// What a loop over samples does: a new tensor, the inference, the result.
void BM_SetInferGetByIndex(benchmark::State& state) {
  InferRequest request = IdleModel().CreateInferRequest().value();
  const Tensor tensor = Tensor::CreateZeroed(ElementType::kF32, {1, 3}).value();
  for (auto _ : state) {
    if (!request.SetInputTensor(0, tensor).ok() || !request.Infer().ok()) state.SkipWithError("Infer failed");
    benchmark::DoNotOptimize(request.GetOutputTensor(0));
  }
}
BENCHMARK(BM_SetInferGetByIndex);

void BM_SetTensorByPort(benchmark::State& state) {
  InferRequest request = IdleModel().CreateInferRequest().value();
  const Tensor tensor = Tensor::CreateZeroed(ElementType::kF32, {1, 3}).value();
  const Port port = request.GetCompiledModel().inputs()[1];
  for (auto _ : state) {
    if (!request.SetTensor(port, tensor).ok()) state.SkipWithError("SetTensor failed");
  }
}
BENCHMARK(BM_SetTensorByPort);

void BM_SetTensorByName(benchmark::State& state) {
  InferRequest request = IdleModel().CreateInferRequest().value();
  const Tensor tensor = Tensor::CreateZeroed(ElementType::kF32, {1, 3}).value();
  const std::string name = "mask:0";
  for (auto _ : state) {
    if (!request.SetTensor(name, tensor).ok()) state.SkipWithError("SetTensor failed");
  }
}
BENCHMARK(BM_SetTensorByName);

// There and back: to the executor's thread and to the one that waits.
void BM_StartAsyncAndWait(benchmark::State& state) {
  InferRequest request = IdleModel().CreateInferRequest().value();
  for (auto _ : state) {
    if (!request.StartAsync().ok() || !request.Wait().ok()) state.SkipWithError("StartAsync failed");
  }
}
BENCHMARK(BM_StartAsyncAndWait)->UseRealTime();

}  // namespace
}  // namespace burin

#include "tools/jit_dump/family_kernels.h"

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/brgemm/brgemm.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/cumulative/cumulative_code.h"
#include "jit/kernels/dot/dot.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/gather/gather_code.h"
#include "jit/kernels/pooling/pooling_code.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "jit/kernels/resize/resize_code.h"
#include "jit/kernels/resize/resize_spec.h"
#include "jit/kernels/top_k/top_k_code.h"
#include "jit/kernels/winograd/input_transform.h"
#include "jit/kernels/winograd/output_transform.h"
#include "jit/kernels/winograd/weight_transform.h"

namespace burin::jit_dump {

using jit::Target;

void AddDenseKernels(std::vector<Generator>& generators) {
  struct Tile {
    int rows;
    int vectors;
    jit::BroadcastForm broadcast;
  };
  for (const Tile& tile : {Tile{6, 4, jit::BroadcastForm::kRegister}, Tile{7, 4, jit::BroadcastForm::kEmbedded},
                           Tile{6, 2, jit::BroadcastForm::kRegister}}) {
    jit::BrgemmSpec spec;
    spec.rows = tile.rows;
    spec.vectors = tile.vectors;
    spec.broadcast = tile.broadcast;
    spec.depth = 768;
    generators.push_back({spec.Name(), [spec](const Target& target) -> absl::StatusOr<jit::CodeBlob> {
                            // Larger tiles need the registers of 512-bit machines.
                            if (spec.vectors > 2) BURIN_RETURN_IF_ERROR(target.Require(jit::IsaLevel::kAvx512));
                            return jit::GenerateBrgemm(spec, nullptr, target.isa());
                          }});
  }
  // One row and several, in the tiles of 512-bit machines and of others.
  struct DotShape {
    int rows;
    int group;
  };
  for (const DotShape& shape : {DotShape{1, 8}, DotShape{4, 4}, DotShape{1, 4}, DotShape{3, 2}}) {
    jit::DotSpec spec;
    spec.rows = shape.rows;
    spec.group = shape.group;
    generators.push_back({spec.Name(), [spec](const Target& target) -> absl::StatusOr<jit::CodeBlob> {
                            // Machines of 256 bits have 16 vector registers.
                            if (spec.VectorRegisters(target.isa()) > 16) {
                              BURIN_RETURN_IF_ERROR(target.Require(jit::IsaLevel::kAvx512));
                            }
                            return jit::GenerateDot(spec, nullptr, target.isa());
                          }});
  }
  // 64 channels of a map of 56x56.
  jit::InputTransformSpec input;
  input.channels = 64;
  input.row_step = 56 * 64 * 4;
  input.pixel_step = 64 * 4;
  input.plane_step = 4096;
  generators.push_back(
      {input.Name(), [input](const Target& target) { return jit::GenerateInputTransform(input, target.isa()); }});
  jit::OutputTransformSpec output;
  output.plane_step = 4096;
  output.row_step = 56 * 64 * 4;
  output.pixel_step = 64 * 4;
  generators.push_back({output.Name(), [output](const Target& target) {
                          return jit::GenerateOutputTransform(output, target.isa(), nullptr);
                        }});
  generators.push_back({"winograd_weights", [](const Target& target) {
                          return jit::GenerateWeightTransform(/*plane_step=*/4096, target.isa());
                        }});
}

void AddSelectionKernels(std::vector<Generator>& generators) {
  for (const jit::PoolingKind kind : {jit::PoolingKind::kMax, jit::PoolingKind::kAverage, jit::PoolingKind::kLp}) {
    jit::PoolingCodeSpec spec;
    spec.kind = kind;
    spec.p = kind == jit::PoolingKind::kLp ? 2 : 0;
    spec.strip_windows = 4;  // 3 taps, stride 2, 64 channels.
    spec.strip_taps = 3;
    spec.strip_tap_step = 256;
    spec.strip_window_step = 512;
    spec.strip_output_step = 256;
    spec.single_vectors = 4;
    generators.push_back(
        {spec.Name(), [spec](const Target& target) { return jit::GeneratePooling(spec, target, nullptr); }});
  }
  for (const int64_t row_bytes : {4, 3072}) {
    const jit::GatherCodeSpec spec = {row_bytes, 8, row_bytes > 4 ? 1 : 0};
    generators.push_back(
        {spec.Name(), [spec](const Target& target) { return jit::GenerateGather(spec, target.isa()); }});
  }
  generators.push_back({"resize_sum", [](const Target& target) {
                          return jit::GenerateResizeSum(jit::ResizeTerm::kElement, target, nullptr);
                        }});
  generators.push_back({"resize_row", [](const Target& target) {
                          return jit::GenerateResizeRow(jit::ResizeRowAccess::kTwoVectors, target, nullptr);
                        }});
  for (const bool along_row : {false, true}) {
    const jit::CumulativeCodeSpec sums = {ElementType::kF32, false, along_row, false};
    generators.push_back(
        {sums.Name(), [sums](const Target& target) { return jit::GenerateCumulative(sums, target, nullptr); }});
    const jit::TopKCodeSpec top = {ElementType::kF32, false, along_row, false};
    generators.push_back({top.Name(), [top](const Target& target) { return jit::GenerateTopK(top, target); }});
  }
}

}  // namespace burin::jit_dump

#include "runtime/plugins/cpu/nodes/matmul_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "jit/kernels/gemm/gemm.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/panels/panel_packer.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

constexpr int64_t kElementBytes = 4;

class GemmPrimitive final : public Primitive {
 public:
  // `packed` is B where that is constant; else empty.
  GemmPrimitive(jit::Gemm gemm, AlignedBuffer packed, std::string isa)
      : gemm_(std::move(gemm)), packed_(std::move(packed)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    jit::GemmArgs all;
    all.a = args.inputs[0];
    all.b = gemm_.spec().b_packed ? packed_.data() : args.inputs[1];
    all.c = args.outputs[0];
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(gemm_.work_items(all), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int member) {
      const executor::ItemRange range = split.Range(chunk);
      jit::GemmArgs own = all;
      own.scratch = static_cast<char*>(args.scratch) + member * gemm_.scratch_bytes();
      gemm_.Run(own, range.begin, range.end);
    });
  }

  int64_t ScratchBytes(int members) const override { return members * gemm_.scratch_bytes(); }
  std::string kernel_name() const override { return absl::StrCat("gemm ", gemm_.spec().ToString()); }
  std::string isa_name() const override { return isa_; }

 private:
  const jit::Gemm gemm_;
  const AlignedBuffer packed_;
  const std::string isa_;
};

// Packs a constant B.
absl::StatusOr<AlignedBuffer> Pack(const ir::Tensor& b, const jit::GemmSpec& plain, const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, b.ToDense());
  BURIN_ASSIGN_OR_RETURN(const jit::PanelLayout layout, jit::PanelLayout::Create(plain.type, plain.k, plain.n));
  BURIN_ASSIGN_OR_RETURN(const jit::PanelPacker packer,
                         jit::PanelPacker::Create(layout, plain.b_depth_stride, plain.b_column_stride, context.target,
                                                  *context.code_cache));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer packed, AlignedBuffer::Create(static_cast<size_t>(layout.bytes())));
  packer.Run(dense.data(), packed.data(), 0, packer.work_items());
  return packed;
}

}  // namespace

jit::GemmSpec MatMulSpec(const ir::MatMulAttributes& attributes, const ir::Shape& a, const ir::Shape& b) {
  // A vector is a row of A, or a column of B; its axis is not in the output.
  const bool a_is_vector = a.size() == 1;
  const bool b_is_vector = b.size() == 1;
  const int64_t a_rows = a_is_vector ? 1 : a[a.size() - 2];
  const int64_t a_columns = a.back();
  const int64_t b_rows = b_is_vector ? b.back() : b[b.size() - 2];
  const int64_t b_columns = b_is_vector ? 1 : b.back();
  const bool transpose_a = attributes.transpose_a && !a_is_vector;
  const bool transpose_b = attributes.transpose_b && !b_is_vector;

  jit::GemmSpec spec;
  spec.m = transpose_a ? a_columns : a_rows;
  spec.k = transpose_a ? a_rows : a_columns;
  spec.n = transpose_b ? b_rows : b_columns;
  spec.a_row_stride = transpose_a ? kElementBytes : a_columns * kElementBytes;
  spec.a_depth_stride = transpose_a ? a_columns * kElementBytes : kElementBytes;
  spec.b_packed = false;
  spec.b_depth_stride = transpose_b ? kElementBytes : b_columns * kElementBytes;
  spec.b_column_stride = transpose_b ? b_columns * kElementBytes : kElementBytes;
  spec.c_row_stride = spec.n * kElementBytes;

  // The axes in front of the matrices, aligned at the end.
  const size_t a_batch = a_is_vector ? 0 : a.size() - 2;
  const size_t b_batch = b_is_vector ? 0 : b.size() - 2;
  const size_t rank = std::max(a_batch, b_batch);
  int64_t a_stride = a_rows * a_columns * kElementBytes;
  int64_t b_stride = b_rows * b_columns * kElementBytes;
  int64_t c_stride = *spec.m * spec.n * kElementBytes;
  spec.batch.resize(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t a_extent = i < a_batch ? a[a_batch - 1 - i] : 1;
    const int64_t b_extent = i < b_batch ? b[b_batch - 1 - i] : 1;
    jit::GemmBatchDim& dim = spec.batch[rank - 1 - i];
    dim.extent = a_extent == 1 ? b_extent : a_extent;
    dim.a_stride = a_extent == 1 ? 0 : a_stride;
    dim.b_stride = b_extent == 1 ? 0 : b_stride;
    dim.c_stride = c_stride;
    a_stride *= a_extent;
    b_stride *= b_extent;
    c_stride *= dim.extent;
  }
  // Rows of products that share B are rows of one product: fewer, larger tiles.
  while (!spec.batch.empty()) {
    const jit::GemmBatchDim& inner = spec.batch.back();
    const bool rows_go_on =
        inner.a_stride == *spec.m * spec.a_row_stride && inner.c_stride == *spec.m * spec.c_row_stride;
    if (inner.b_stride != 0 || !rows_go_on) break;
    spec.m = *spec.m * inner.extent;
    spec.batch.pop_back();
  }
  return spec;
}

absl::StatusOr<std::unique_ptr<const Primitive>> MatMulNode::CreatePrimitive(const NodeValues& values,
                                                                             const NodeContext& context) const {
  jit::GemmSpec spec = MatMulSpec(attributes_, values.inputs[0].desc.shape, values.inputs[1].desc.shape);
  spec.type = values.inputs[0].desc.type;
  AlignedBuffer packed;
  const ir::Tensor& b = values.inputs[1].constant;
  const bool one_b = std::all_of(spec.batch.begin(), spec.batch.end(),
                                 [](const jit::GemmBatchDim& dim) { return dim.b_stride == 0 || dim.extent == 1; });
  if (b.has_value() && one_b) {
    BURIN_ASSIGN_OR_RETURN(packed, Pack(b, spec, context));
    spec.b_packed = true;
    spec.b_depth_stride = 0;
    spec.b_column_stride = kElementBytes;
  }
  BURIN_ASSIGN_OR_RETURN(jit::Gemm gemm, jit::Gemm::Create(spec, nullptr, context.target, *context.code_cache));
  return std::make_unique<GemmPrimitive>(std::move(gemm), std::move(packed), std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

#include "runtime/plugins/cpu/nodes/matmul_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/kernels/gemm/gemm.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/panels/panel_packer.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"

namespace burin::cpu {

namespace {

constexpr int64_t kElementBytes = 4;

class PanelPacking final : public WeightsPacking {
 public:
  // Of B as it lies in `spec`.
  static absl::StatusOr<std::unique_ptr<const PanelPacking>> Create(const jit::GemmSpec& spec,
                                                                    const NodeContext& context) {
    BURIN_ASSIGN_OR_RETURN(const jit::PanelLayout layout, jit::PanelLayout::Create(spec.type, spec.k, spec.n));
    BURIN_ASSIGN_OR_RETURN(jit::PanelPacker packer,
                           jit::PanelPacker::Create(layout, spec.b_depth_stride, spec.b_column_stride, context.target,
                                                    *context.code_cache));
    Hasher hasher;
    hasher.UpdateString("panels");
    hasher.UpdateInt(spec.type);
    for (const int64_t value : {spec.k, spec.n, spec.b_depth_stride, spec.b_column_stride}) hasher.UpdateInt(value);
    // Panels are of columns: those of a transposed B lie one behind the other.
    const bool in_order = spec.b_column_stride >= spec.k * spec.b_depth_stride;
    return absl::WrapUnique(new const PanelPacking(layout.bytes(), std::move(packer), in_order, hasher.Finish()));
  }

  Hash128 key() const override { return key_; }
  int64_t packed_bytes() const override { return bytes_; }
  int64_t work_items() const override { return packer_.work_items(); }
  bool reads_in_order() const override { return in_order_; }
  void Run(const void* weights, void* packed, void*, int64_t begin, int64_t end) const override {
    packer_.Run(weights, packed, begin, end);
  }

 private:
  PanelPacking(int64_t bytes, jit::PanelPacker packer, bool in_order, const Hash128& key)
      : bytes_(bytes), packer_(std::move(packer)), in_order_(in_order), key_(key) {}

  const int64_t bytes_;
  const jit::PanelPacker packer_;
  const bool in_order_;
  const Hash128 key_;
};

class GemmDenseKernel final : public DenseKernel {
 public:
  // `packing` is null where B is not packed.
  GemmDenseKernel(jit::Gemm gemm, std::unique_ptr<const PanelPacking> packing)
      : gemm_(std::move(gemm)), packing_(std::move(packing)) {}

  const WeightsPacking* packing() const override { return packing_.get(); }
  int64_t scratch_bytes() const override { return gemm_.scratch_bytes(); }
  bool keeps_sums() const override { return gemm_.UsesC(); }
  int64_t work_items() const override { return gemm_.work_items(jit::GemmArgs()); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    jit::GemmArgs of_gemm;
    of_gemm.a = args.input;
    of_gemm.b = args.weights;
    of_gemm.c = args.output;
    of_gemm.scratch = args.scratch;
    of_gemm.places = args.places;
    gemm_.Run(of_gemm, begin, end);
  }
  std::string name() const override { return absl::StrCat("gemm ", gemm_.spec().ToString()); }

 private:
  const jit::Gemm gemm_;
  const std::unique_ptr<const PanelPacking> packing_;
};

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

absl::StatusOr<std::shared_ptr<const Node>> MatMulNode::Create(const ir::Node& op, DenseStep step,
                                                               const NodeContext& context) {
  return std::shared_ptr<const Node>(
      new MatMulNode(op.attributes_as<ir::MatMulAttributes>(), std::move(step), context));
}

absl::StatusOr<DensePasses> MatMulNode::MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                                   const NodeContext& context) const {
  const ir::Shape& b = values.inputs[1].desc.shape;
  if (epilogue != nullptr && b.size() == 1) {
    return absl::UnimplementedError("An epilogue of a product with a vector, whose columns are those of no matrix");
  }
  jit::GemmSpec spec = MatMulSpec(attributes_, values.inputs[0].desc.shape, b);
  spec.type = values.inputs[0].desc.type;
  std::unique_ptr<const PanelPacking> packing;
  const bool one_b = std::all_of(spec.batch.begin(), spec.batch.end(),
                                 [](const jit::GemmBatchDim& dim) { return dim.b_stride == 0 || dim.extent == 1; });
  if (values.inputs[1].constant.has_value() && one_b) {
    BURIN_ASSIGN_OR_RETURN(packing, PanelPacking::Create(spec, context));
    spec.b_packed = true;
    spec.b_depth_stride = 0;
    spec.b_column_stride = kElementBytes;
  }
  BURIN_ASSIGN_OR_RETURN(jit::Gemm gemm, jit::Gemm::Create(spec, epilogue, context.target, *context.code_cache));
  DensePasses passes;
  passes.push_back(std::make_unique<GemmDenseKernel>(std::move(gemm), std::move(packing)));
  return passes;
}

}  // namespace burin::cpu

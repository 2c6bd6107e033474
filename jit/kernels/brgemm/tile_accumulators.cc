#include "jit/kernels/brgemm/tile_accumulators.h"

#include "absl/strings/str_cat.h"
#include "jit/asm/arg_field.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/kernels/brgemm/brgemm_args.h"

namespace burin::jit {

template <class V>
TileAccumulators<V>::TileAccumulators(const BrgemmSpec& spec, AbiFrame& frame, V& v)
    : spec_(spec), frame_(frame), v_(v) {
  for (int i = 0; i < spec.rows * spec.vectors; ++i) registers_.push_back(v.New(absl::StrCat("acc", i)));
}

template <class V>
void TileAccumulators<V>::MakeMask() {
  if (!spec_.partial || mask_.has_value()) return;
  mask_.emplace(v_.NewMask("last_columns"));
  const GprReg count = v_.code().regs().Gpr("count");
  const GprReg scratch = v_.code().regs().Gpr("scratch");
  frame_.Load(count, BURIN_ARG_FIELD(BrgemmArgs, last_columns));
  v_.SetMaskFor(*mask_, count, scratch);
}

template <class V>
void TileAccumulators<V>::Load(const Xmm& to, int vector, const Address& from) {
  if (IsMasked(vector)) {
    v_.LoadMasked(to, *mask_, from);
  } else {
    v_.Load(to, from);
  }
}

template <class V>
RowAddresses TileAccumulators<V>::AddressC() {
  RowAddresses c(v_.code(), frame_, spec_.c_rows, spec_.rows, BURIN_ARG_FIELD(BrgemmArgs, c_row_stride), "c");
  if (base_ != nullptr) {
    c.Point(base_->At());
  } else {
    c.Point(BURIN_ARG_FIELD(BrgemmArgs, c));
  }
  return c;
}

template <class V>
void TileAccumulators<V>::EachOfC(absl::FunctionRef<void(int row, int vector, const Address& address)> access) {
  const RowAddresses c = AddressC();
  for (int row = 0; row < spec_.rows; ++row) {
    for (int vector = 0; vector < spec_.vectors; ++vector) access(row, vector, c.At(row, vector * kVectorBytes));
  }
}

template <class V>
void TileAccumulators<V>::EmitStart(bool stores_c) {
  v_.code().Mark("start");
  if (spec_.start == BrgemmStart::kZero) {
    for (const VecReg& accumulator : registers_) v_.Zero(VecGroup(accumulator));
    if (spec_.prefetch_c && stores_c) {
      EachOfC([&](int, int, const Address& address) { v_.code().prefetchw(address); });
    }
    return;
  }
  MakeMask();
  EachOfC([&](int row, int vector, const Address& address) { Load(At(row, vector), vector, address); });
  if (spec_.b_padded) ReturnMask();
}

template <class V>
void TileAccumulators<V>::EmitStore(int row, int vector, const Address& to) {
  if (IsMasked(vector)) {
    v_.StoreMasked(to, *mask_, At(row, vector));
  } else {
    v_.Store(to, At(row, vector));
  }
}

template <class V>
void TileAccumulators<V>::EmitStores() {
  v_.code().Mark("stores");
  MakeMask();
  EachOfC([&](int row, int vector, const Address& address) { EmitStore(row, vector, address); });
}

template class TileAccumulators<VecAvx2>;
template class TileAccumulators<VecAvx512>;

}  // namespace burin::jit

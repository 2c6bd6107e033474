#include "jit/kernels/pooling/pooling_reduction.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/pooling/pooling_tap_loops.h"
#include "jit/kernels/pooling/pooling_taps.h"

namespace burin::jit {
namespace {

// Emits one form of the reduction of a piece: the careful one, or the other, which looks for NaNs where there is a
// `watch`.
template <class V>
class Reduction {
 public:
  Reduction(PoolingEmission<V>& emission, const PoolingPiece<V>& piece, absl::Span<const VecReg> results, bool careful,
            NanWatch<V>* watch)
      : e_(emission), v_(emission.v), piece_(piece), results_(results), careful_(careful), watch_(watch) {}

  // Jumps to `nan_seen` where the watch has seen one.
  void Emit(const Label* nan_seen) {
    if (watch_ != nullptr) watch_->Reset();
    piece_.is_strip ? EmitStrip(nan_seen) : EmitSingle(nan_seen);
  }

 private:
  static constexpr int kVectorBytes = PoolingEmission<V>::kVectorBytes;

  // Registers of the columns of a strip, by the bytes from the first tap and by vector.
  using Columns = std::map<std::pair<int64_t, int>, Xmm>;

  void EmitSingle(const Label* nan_seen) {
    for (const VecReg& result : results_) e_.taps.Start(result);
    EmitTapLoops(e_.code, e_.frame, e_.input, [&](const Reg64& tap) {
      for (int i = 0; i < piece_.vectors; i += 2) {
        EmitTapPair(results_[static_cast<size_t>(i)], ptr[tap + i * kVectorBytes],
                    i + 1 < piece_.vectors ? &static_cast<const Xmm&>(results_[static_cast<size_t>(i + 1)]) : nullptr,
                    ptr[tap + (i + 1) * kVectorBytes]);
      }
    });
    if (watch_ != nullptr) watch_->JumpIfSeen(*nan_seen);
  }

  // Adds one tap, or two where there is a second.
  void EmitTapPair(const Xmm& first, const Address& first_tap, const Xmm* second, const Address& second_tap) {
    if (piece_.mask == nullptr && e_.spec.kind == PoolingKind::kAverage) {
      v_.Add(first, first, first_tap);
      if (second != nullptr) v_.Add(*second, *second, second_tap);
      return;
    }
    const VecReg a = v_.New("tap");
    const VecReg b = v_.New("tap");
    piece_.Load(v_, a, first_tap);
    if (second != nullptr) piece_.Load(v_, b, second_tap);
    if (watch_ != nullptr) watch_->Look(a, second != nullptr ? b : a);
    e_.taps.Add(first, a, careful_);
    if (second != nullptr) e_.taps.Add(*second, b, careful_);
  }

  // Begins with one tap, or with two where there is a second.
  void EmitFirstTapPair(const Xmm& first, const Address& first_tap, const Xmm* second, const Address& second_tap) {
    piece_.Load(v_, first, first_tap);
    if (second != nullptr) piece_.Load(v_, *second, second_tap);
    if (watch_ != nullptr) watch_->Look(first, second != nullptr ? *second : first);
    e_.taps.Begin(first);
    if (second != nullptr) e_.taps.Begin(*second);
  }

  // Names the registers of the columns of a strip. The column of a window's first tap is the window's result: of the
  // windows that read it, it is the last. The rest is in `others`.
  Columns NameColumns(std::vector<VecReg>& others) {
    Columns columns;
    for (const int64_t offset : e_.spec.ColumnsOf(piece_.windows)) {
      if (offset < piece_.begin || offset >= piece_.end) continue;
      const int64_t w = offset / e_.spec.strip_window_step;
      for (int i = 0; i < piece_.vectors; ++i) {
        if (offset % e_.spec.strip_window_step == 0 && w < piece_.windows) {
          columns.emplace(std::make_pair(offset, i), results_[piece_.At(static_cast<int>(w), i)]);
        } else {
          others.push_back(v_.New(absl::StrCat("column", others.size())));
          columns.emplace(std::make_pair(offset, i), others.back());
        }
      }
    }
    return columns;
  }

  void EmitStrip(const Label* nan_seen) {
    std::vector<VecReg> others;
    const Columns columns = NameColumns(others);
    const auto address = [](const Reg64& row, const std::pair<int64_t, int>& column) {
      return ptr[row + static_cast<size_t>(column.first + column.second * kVectorBytes)];
    };
    EmitTapRowLoops(e_.code, e_.frame, e_.input, [&](const Reg64& row, bool is_first) {
      for (auto it = columns.begin(); it != columns.end(); ++it) {
        const auto first = it;
        const auto second = std::next(it);
        const bool is_pair = second != columns.end();
        const Address a = address(row, first->first);
        const Address b = is_pair ? address(row, second->first) : a;
        const Xmm* const other = is_pair ? &second->second : nullptr;
        is_first ? EmitFirstTapPair(first->second, a, other, b) : EmitTapPair(first->second, a, other, b);
        if (is_pair) ++it;
      }
    });
    if (watch_ != nullptr) watch_->JumpIfSeen(*nan_seen);
    JoinColumns(columns);
  }

  // Makes the result of each window of its columns.
  void JoinColumns(const Columns& columns) {
    const PoolingCodeSpec& spec = e_.spec;
    for (int w = 0; w < piece_.windows; ++w) {
      for (int i = 0; i < piece_.vectors; ++i) {
        const Xmm result = results_[piece_.At(w, i)];
        // Without its first tap, the result has a register of its own, which is empty yet.
        bool is_empty = columns.count({int64_t{w} * spec.strip_window_step, i}) == 0;
        for (int t = is_empty ? 0 : 1; t < spec.strip_taps; ++t) {
          const auto column = columns.find({int64_t{w} * spec.strip_window_step + int64_t{t} * spec.strip_tap_step, i});
          if (column == columns.end()) continue;
          is_empty ? v_.Copy(result, column->second) : e_.taps.Join(result, column->second, careful_);
          is_empty = false;
        }
        if (is_empty) e_.taps.Start(result);
      }
    }
  }

  PoolingEmission<V>& e_;
  V& v_;
  const PoolingPiece<V>& piece_;
  const absl::Span<const VecReg> results_;
  const bool careful_;
  NanWatch<V>* const watch_;
};

}  // namespace

template <class V>
void EmitPoolingReduction(PoolingEmission<V>& emission, const PoolingPiece<V>& piece, absl::Span<const VecReg> results,
                          const Label& nan_seen) {
  std::optional<NanWatch<V>> watch;
  if (emission.taps.has_quick_form()) watch.emplace(emission.v);
  Reduction<V>(emission, piece, results, false, watch.has_value() ? &*watch : nullptr).Emit(&nan_seen);
}

template <class V>
void EmitCarefulPoolingReduction(PoolingEmission<V>& emission, const PoolingPiece<V>& piece,
                                 absl::Span<const VecReg> results) {
  Reduction<V>(emission, piece, results, true, nullptr).Emit(nullptr);
}

template void EmitPoolingReduction<VecAvx2>(PoolingEmission<VecAvx2>& emission, const PoolingPiece<VecAvx2>& piece,
                                            absl::Span<const VecReg> results, const Label& nan_seen);
template void EmitPoolingReduction<VecAvx512>(PoolingEmission<VecAvx512>& emission,
                                              const PoolingPiece<VecAvx512>& piece, absl::Span<const VecReg> results,
                                              const Label& nan_seen);
template void EmitCarefulPoolingReduction<VecAvx2>(PoolingEmission<VecAvx2>& emission,
                                                   const PoolingPiece<VecAvx2>& piece,
                                                   absl::Span<const VecReg> results);
template void EmitCarefulPoolingReduction<VecAvx512>(PoolingEmission<VecAvx512>& emission,
                                                     const PoolingPiece<VecAvx512>& piece,
                                                     absl::Span<const VecReg> results);

}  // namespace burin::jit

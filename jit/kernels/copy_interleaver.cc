#include "jit/kernels/copy_interleaver.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"

namespace burin::jit {

int CopyInterleaver::PiecesAtOnce(int element_bytes, int most, const IsaSet& isa) {
  const int values = kPieceBytes / element_bytes;
  const int registers = isa.Supports(IsaLevel::kAvx512) ? 31 : 15;
  int pieces = most;
  while (pieces > 1 && pieces * values > registers) pieces /= 2;
  return pieces;
}

CopyInterleaver::CopyInterleaver(Assembler& code, AbiFrame& frame, int element_bytes, int lanes, int pieces)
    : code_(code), element_bytes_(element_bytes), size_(kPieceBytes / element_bytes), lanes_(lanes), pieces_(pieces) {
  const int values = size_ * (LoadsWholeVectors() ? pieces_ + 1 : pieces_);
  const bool spilled = values + 1 > code.regs().capacity(RegClass::kVec);
  for (int i = 0; i < values + (spilled ? 0 : 1); ++i) vecs_.push_back(code.regs().Vec(absl::StrCat("v", i)));
  if (spilled) slot_.emplace(frame.Slot(vector_bytes(), "value"));
}

Xmm CopyInterleaver::Whole(int vec) const {
  const Xmm& reg = vecs_[vec];
  return lanes_ == 4 ? Xmm(AsZmm(reg)) : lanes_ == 2 ? Xmm(AsYmm(reg)) : AsXmm(reg);
}

void CopyInterleaver::EmitLoadLane(int value, int lane, const Address& address) {
  const Xmm& vec = vecs_[value];
  if (Spills(value)) {
    code_.vmovups(AsXmm(vec), address);
    code_.vmovups(slot_->At(lane * kPieceBytes), AsXmm(vec));
  } else if (lane == 0) {
    code_.vmovups(AsXmm(vec), address);
  } else if (lanes_ == 4) {
    code_.vinserti32x4(AsZmm(vec), AsZmm(vec), address, lane);
  } else if (vec.getIdx() < 16) {
    code_.vinserti128(AsYmm(vec), AsYmm(vec), address, lane);
  } else {
    code_.vinserti32x4(AsYmm(vec), AsYmm(vec), address, lane);
  }
}

void CopyInterleaver::EmitLoad(int number, const Address& address) {
  code_.vmovups(Whole(number), address);
  if (Spills(number)) code_.vmovups(slot_->At(), Whole(number));
}

void CopyInterleaver::EmitUnpack(bool high, const Xmm& to, const Xmm& low_part, const Operand& high_part) {
  switch (element_bytes_) {
    case 1:
      return high ? code_.vpunpckhbw(to, low_part, high_part) : code_.vpunpcklbw(to, low_part, high_part);
    case 2:
      return high ? code_.vpunpckhwd(to, low_part, high_part) : code_.vpunpcklwd(to, low_part, high_part);
    case 4:
      return high ? code_.vpunpckhdq(to, low_part, high_part) : code_.vpunpckldq(to, low_part, high_part);
    default:
      return high ? code_.vpunpckhqdq(to, low_part, high_part) : code_.vpunpcklqdq(to, low_part, high_part);
  }
}

std::vector<std::vector<bool>> CopyInterleaver::WantedValues(int columns) const {
  std::vector<std::vector<bool>> wanted(1, std::vector<bool>(static_cast<size_t>(size_)));
  std::fill_n(wanted[0].begin(), columns, true);
  for (int round = 1; round < size_; round *= 2) {
    std::vector<bool> before(static_cast<size_t>(size_));
    for (int i = 0; i < size_; ++i) before[i] = wanted[0][2 * i % size_] || wanted[0][2 * i % size_ + 1];
    wanted.insert(wanted.begin(), before);
  }
  return wanted;
}

std::vector<int> CopyInterleaver::EmitPiece(std::vector<int> values, int columns, int& spare) {
  const std::vector<std::vector<bool>> wanted = WantedValues(columns);
  for (size_t round = 1; round < wanted.size(); ++round) {
    std::vector<int> next(size_);
    for (int i = 0; i < size_ / 2; ++i) {
      const int low = values[i];
      const int high = values[i + size_ / 2];
      const bool spilled = Spills(i + size_ / 2);
      const Address slot = spilled ? slot_->At() : Address(0);
      const Xmm high_vec = Whole(high);
      const Operand& other = spilled ? static_cast<const Operand&>(slot) : high_vec;
      if (wanted[round][2 * i]) EmitUnpack(false, Whole(spare), Whole(low), other);
      if (wanted[round][2 * i + 1]) EmitUnpack(true, Whole(low), Whole(low), other);
      next[2 * i] = spare;
      next[2 * i + 1] = low;
      spare = high;
      if (spilled && round + 1 < wanted.size()) {
        code_.vmovups(slot_->At(), Whole(low));
        spare = low;
      }
    }
    values = next;
  }
  return values;
}

std::vector<Xmm> CopyInterleaver::EmitRounds(int columns) {
  int spare = slot_.has_value() ? size_ - 1 : size_;
  std::vector<int> values(size_);
  std::iota(values.begin(), values.end(), 0);
  std::vector<Xmm> result;
  for (const int vec : EmitPiece(std::move(values), columns, spare)) result.push_back(AsXmm(vecs_[vec]));
  return result;
}

void CopyInterleaver::EmitTile(absl::FunctionRef<Xbyak::RegExp(int number)> row,
                               absl::FunctionRef<Xbyak::RegExp(int number)> column) {
  if (LoadsWholeVectors()) return EmitTileOfVectors(row, column);
  for (int lane = 0; lane < lanes_; ++lane) {
    for (int k = 0; k < size_; ++k) {
      const Xbyak::RegExp from = row(lane * size_ + k);
      for (int piece = 0; piece < pieces_; ++piece) {
        EmitLoadLane(piece * size_ + k, lane, ptr[from + piece * kPieceBytes]);
      }
    }
  }
  int spare = slot_.has_value() ? size_ - 1 : size_ * pieces_;
  for (int piece = 0; piece < pieces_; ++piece) {
    std::vector<int> values(size_);
    std::iota(values.begin(), values.end(), piece * size_);
    EmitStoreColumns(piece, EmitPiece(std::move(values), size_, spare), column);
  }
}

void CopyInterleaver::EmitStoreColumns(int piece, const std::vector<int>& columns,
                                       absl::FunctionRef<Xbyak::RegExp(int number)> column) {
  for (int k = 0; k < size_; ++k) code_.vmovups(ptr[column(piece * size_ + k)], Whole(columns[k]));
}

void CopyInterleaver::EmitTileOfVectors(absl::FunctionRef<Xbyak::RegExp(int number)> row,
                                        absl::FunctionRef<Xbyak::RegExp(int number)> column) {
  for (int lane = 0; lane < lanes_; ++lane) {
    for (int k = 0; k < size_; ++k) {
      const Xbyak::RegExp from = row(lane * size_ + k);
      for (int piece = 0; piece < pieces_; piece += lanes_) {
        code_.vmovups(Whole((piece + lane) * size_ + k), ptr[from + piece * kPieceBytes]);
      }
    }
  }
  int spare = size_ * pieces_;
  std::vector<int> values(size_);
  std::iota(values.begin(), values.end(), spare + 1);
  for (int piece = 0; piece < pieces_; piece += lanes_) {
    const int low = piece * size_;
    const int high = low + size_;
    for (int k = 0; k < size_; ++k) EmitJoinLow(values[k], low + k, high + k);
    values = EmitPiece(std::move(values), size_, spare);
    EmitStoreColumns(piece, values, column);
    std::vector<int> others(size_);
    std::iota(others.begin(), others.end(), low);
    for (int k = 0; k < size_; ++k) EmitJoinHigh(low + k, low + k, high + k);
    EmitStoreColumns(piece + 1, EmitPiece(std::move(others), size_, spare), column);
  }
}

void CopyInterleaver::EmitJoinLow(int to, int first, int second) {
  if (std::max({vecs_[to].getIdx(), vecs_[first].getIdx(), vecs_[second].getIdx()}) < 16) {
    code_.vinserti128(AsYmm(vecs_[to]), AsYmm(vecs_[first]), AsXmm(vecs_[second]), 1);
  } else {
    code_.vinserti32x4(AsYmm(vecs_[to]), AsYmm(vecs_[first]), AsXmm(vecs_[second]), 1);
  }
}

void CopyInterleaver::EmitJoinHigh(int to, int first, int second) {
  if (std::max({vecs_[to].getIdx(), vecs_[first].getIdx(), vecs_[second].getIdx()}) < 16) {
    code_.vperm2i128(AsYmm(vecs_[to]), AsYmm(vecs_[first]), AsYmm(vecs_[second]), 0x31);
  } else {
    code_.vshufi32x4(AsYmm(vecs_[to]), AsYmm(vecs_[first]), AsYmm(vecs_[second]), 3);
  }
}

}  // namespace burin::jit

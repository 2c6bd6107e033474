#include "runtime/plugins/cpu/nodes/dense/dense_primitive.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"

namespace burin::cpu {

namespace {

constexpr int64_t kElementBytes = 4;

int64_t WholeLines(int64_t bytes) {
  constexpr int64_t kLine = 64;
  return (bytes + kLine - 1) / kLine * kLine;
}

// Shares `items` among the team: run(begin, end, member).
template <class Run>
void ShareItems(executor::Team& team, int64_t items, const Run& run) {
  const executor::WorkSplit split = executor::WorkSplit::Dynamic(items, 1, team.size());
  team.Share(split.chunks(), [&](int64_t chunk, int member) {
    const executor::ItemRange range = split.Range(chunk);
    run(range.begin, range.end, member);
  });
}

}  // namespace

DensePrimitive::DensePrimitive(Parts parts) : parts_(std::move(parts)) {
  const DenseEpilogue* const epilogue = parts_.step.epilogue.get();
  int64_t bytes = 0;
  if (epilogue != nullptr) {
    bytes += WholeLines(static_cast<int64_t>(epilogue->operand_count() * sizeof(jit::EpiloguePlace)));
    sums_output_ = epilogue->SumsOutput();
  }
  sums_offset_ = bytes;
  const bool keeps_sums =
      std::any_of(parts_.passes.begin(), parts_.passes.end(), [](const auto& pass) { return pass->keeps_sums(); });
  if (keeps_sums && sums_output_ < 0) bytes += WholeLines(parts_.rows * parts_.columns * kElementBytes);
  packed_offset_ = bytes;
  const WeightsPacking* const packing = parts_.passes[0]->packing();
  if (PacksWeights()) bytes += WholeLines(packing->packed_bytes());
  members_offset_ = bytes;
  for (const auto& pass : parts_.passes) member_bytes_ = std::max(member_bytes_, WholeLines(pass->scratch_bytes()));
  if (PacksWeights()) member_bytes_ = std::max(member_bytes_, WholeLines(packing->scratch_bytes()));
}

bool DensePrimitive::Reads(int input) const {
  for (size_t i = 0; i < parts_.step.inputs.size(); ++i) {
    const bool is_packed = i == 1 && parts_.packed != nullptr;
    if (parts_.step.inputs[i] == input && !is_packed) return true;
  }
  const bool is_replaced = std::any_of(parts_.replaced.begin(), parts_.replaced.end(),
                                       [input](const auto& replaced) { return replaced.first == input; });
  return parts_.step.epilogue != nullptr && parts_.step.epilogue->Reads(input) && !is_replaced;
}

int64_t DensePrimitive::ScratchBytes(int members) const { return members_offset_ + members * member_bytes_; }

void DensePrimitive::ResolvePlaces(const ExecutionArgs& args, jit::EpiloguePlace* places) const {
  const DenseEpilogue& epilogue = *parts_.step.epilogue;
  epilogue.Resolve(args.inputs, args.outputs, parts_.columns, places);
  for (const auto& [input, tensor] : parts_.replaced) {
    // The code writes to outputs alone.
    void* const data = const_cast<void*>(tensor.data());
    epilogue.ForEachOperandOf(input, [&, data = data](size_t operand) { places[operand].data = data; });
  }
}

void DensePrimitive::PackWeights(const ExecutionArgs& args, const void* weights, void* packed, char* scratch) const {
  const WeightsPacking& packing = *parts_.passes[0]->packing();
  ShareItems(*args.team, packing.work_items(), [&](int64_t begin, int64_t end, int member) {
    packing.Run(weights, packed, scratch + member * member_bytes_, begin, end);
  });
}

void DensePrimitive::Execute(const ExecutionArgs& args) const {
  char* const scratch = static_cast<char*>(args.scratch);
  char* const of_members = scratch + members_offset_;
  DenseArgs all;
  all.input = args.inputs[static_cast<size_t>(parts_.step.InputOf(0))];
  const int weights = parts_.step.InputOf(1);
  if (parts_.packed != nullptr) {
    all.weights = parts_.packed->data();
  } else if (weights >= 0) {
    all.weights = args.inputs[static_cast<size_t>(weights)];
    if (PacksWeights()) {
      PackWeights(args, all.weights, scratch + packed_offset_, of_members);
      all.weights = scratch + packed_offset_;
    }
  }
  all.output = sums_output_ < 0 ? scratch + sums_offset_ : args.outputs[static_cast<size_t>(sums_output_)];
  if (parts_.step.epilogue != nullptr) {
    auto* const places = static_cast<jit::EpiloguePlace*>(args.scratch);
    ResolvePlaces(args, places);
    all.places = places;
  } else if (args.outputs.size() > 1) {
    all.indices = args.outputs[1];
  }
  for (const auto& pass : parts_.passes) {
    ShareItems(*args.team, pass->work_items(), [&](int64_t begin, int64_t end, int member) {
      DenseArgs own = all;
      own.scratch = of_members + member * member_bytes_;
      pass->Run(own, begin, end);
    });
  }
}

int64_t DensePrimitive::Bytes() const {
  // A kernel of products or convolutions has some kilobytes of code for each of its tiles.
  constexpr int64_t kBytesOfPass = 16384;
  int64_t bytes = kTypicalBytes + static_cast<int64_t>(parts_.passes.size()) * kBytesOfPass;
  for (const auto& [input, constant] : parts_.replaced) bytes += static_cast<int64_t>(constant.byte_size());
  return bytes;
}

std::string DensePrimitive::kernel_name() const {
  std::string name = parts_.passes[0]->name();
  if (parts_.step.epilogue != nullptr) absl::StrAppend(&name, "+", parts_.step.epilogue->name());
  return name;
}

}  // namespace burin::cpu

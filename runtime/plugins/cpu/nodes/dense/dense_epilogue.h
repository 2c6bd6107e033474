// A compiled epilogue of a dense operation, and which values of a step it reads and writes.
//
// For nodes that run the Subgraphs whose anchors they are. Made once for a node, whatever the shapes. Immutable;
// thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_EPILOGUE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_EPILOGUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "jit/kernels/epilogue_emitter.h"
#include "snippets/epilogue/epilogue.h"

namespace burin::cpu {

class DenseEpilogue {
 public:
  // Compiles `body`, as snippets::Epilogue::Create() takes it. `inputs` says which input of the step each of its
  // parameters is, from the second on; its results are the step's outputs. Errors as of snippets::Epilogue::Create();
  // Unimplemented where a result does not have an element for each row and column.
  static absl::StatusOr<std::shared_ptr<const DenseEpilogue>> Create(const ir::Model& body, std::vector<int> inputs);

  const jit::EpilogueEmitter& emitter() const { return *epilogue_; }
  const std::string& name() const { return epilogue_->linear_ir().name; }

  // Returns the number of operands, hence of places.
  size_t operand_count() const { return epilogue_->operands().size(); }

  // Returns whether it reads an input of the step, and whether that has an element for each row and column.
  bool Reads(int input) const;
  bool IsFull(int input) const;

  // Returns whether `output` may be stored over `input`, where these are of one type: IsFull(), each element read
  // before it is written, and never again.
  bool MayRunInPlace(int input, int output) const;

  // Returns the first output of f32, whose memory may hold sums before it is written; -1 where there is none.
  int SumsOutput() const;

  // Fills in operand_count() places for the values of a step. `columns` are those of the result; all rows are dense.
  void Resolve(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, int64_t columns,
               jit::EpiloguePlace* places) const;

  // Calls visit(operand) for each operand that is this input of the step.
  template <class Visit>
  void ForEachOperandOf(int input, const Visit& visit) const {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i] == input) visit(i);
    }
  }

 private:
  DenseEpilogue(std::unique_ptr<const snippets::Epilogue> epilogue, std::vector<int> inputs)
      : epilogue_(std::move(epilogue)), inputs_(std::move(inputs)) {}

  // Returns the operand that is the first output.
  size_t FirstOutput() const { return inputs_.size() + epilogue_->constants().size(); }

  const std::unique_ptr<const snippets::Epilogue> epilogue_;
  const std::vector<int> inputs_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_EPILOGUE_H_

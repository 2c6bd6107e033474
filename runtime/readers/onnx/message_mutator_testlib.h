// Damages models in ways that leave their files whole: wrong attributes, types, shapes, operators and contents, which
// reach the translations. For tests only. Not thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_MUTATOR_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_MUTATOR_TESTLIB_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "onnx/onnx.pb.h"

namespace burin::onnx {

class MessageMutator {
 public:
  // `operators` are the names of which nodes may get another; at least one.
  MessageMutator(uint64_t seed, std::vector<std::string> operators) : operators_(std::move(operators)), random_(seed) {}

  // Returns the file with up to three changes; one that protobuf cannot parse as it is.
  std::string Mutate(const std::string& file);

 private:
  size_t Below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  int64_t Number();

  void Change(::onnx::ModelProto* model);
  void ChangeNode(::onnx::NodeProto* node);
  void ChangeAttribute(::onnx::AttributeProto* attribute);
  void ChangeTensor(::onnx::TensorProto* tensor);
  void ChangeType(::onnx::TypeProto* type);

  const std::vector<std::string> operators_;
  std::mt19937_64 random_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_MUTATOR_TESTLIB_H_

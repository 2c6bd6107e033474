// What a name of an ONNX graph stands for while the graph is read: a value of the model, or a container of values.
//
// The model knows tensors alone. Sequences and optionals exist while a file is read, as long as their lengths are
// known; operators on them are resolved then and leave no operation behind. Plain data, thread-compatible.
#ifndef BURIN_RUNTIME_READERS_ONNX_BINDING_H_
#define BURIN_RUNTIME_READERS_ONNX_BINDING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/model.h"

namespace burin::onnx {

// A sequence of tensors, or an optional that holds nothing. An optional that holds something is that itself.
struct Container {
  enum class Kind : uint8_t { kSequence, kNone };

  Kind kind = Kind::kSequence;
  std::vector<ir::Value> elements;  // Of a sequence.
};

// Of an unusable name nothing is known, since what produces it is not supported.
struct Binding {
  ir::Value value;
  bool usable = true;
  std::shared_ptr<const Container> container = nullptr;  // Where this is set there is no value.

  // Returns whether there is something to read: not so for absent inputs.
  bool exists() const { return value.exists() || container != nullptr; }
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_BINDING_H_

// Public header "burin/operation.h": one operation of a model, for whoever looks into a model.
//
// A copy of what the model held when it was asked: changing it changes no model. Value type.
#ifndef BURIN_RUNTIME_API_OPERATION_H_
#define BURIN_RUNTIME_API_OPERATION_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "runtime/api/tensor.h"

namespace burin {

struct Operation {
  // Where an input's value comes from.
  struct Input {
    std::string operation;  // Its name; empty for an optional input that is absent.
    size_t output = 0;      // Which of its outputs.
  };

  struct Output {
    std::vector<std::string> names;  // Tensor names; may be empty.
    ElementType element_type = ElementType::kUndefined;
    PartialShape shape;
  };

  // Unique within the model.
  std::string name;
  // What it computes, as OpenVINO's operation sets call it ("MatMul"), and the set whose specification it follows
  // ("opset1"; "internal" for Burin's own).
  std::string type;
  std::string opset;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  // Every attribute as text, as ModelBuilder::Op takes it; a large constant's value as type, shape and content hash.
  std::map<std::string, std::string> attributes;
  // The user's operations that it stands for, as their file names them.
  std::vector<std::string> original_names;
  // What is known of it besides what it computes; in a runtime model, the facts of its execution.
  std::map<std::string, std::string> runtime_info;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_OPERATION_H_

// Asks the reader and the devices which operators they take, in which opsets and element types: by reading, compiling
// and running a small model for each.
//
// What it says is what the code does. It takes seconds; not for use at run time. Stateless, thread-safe.
#ifndef BURIN_TOOLS_COVERAGE_DOC_OPERATOR_COVERAGE_H_
#define BURIN_TOOLS_COVERAGE_DOC_OPERATOR_COVERAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "burin/core.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::coverage_doc {

// How the CPU device runs a model. kMixed: by generated kernels and by references; kNothing: all of it is computed when
// it is compiled, or is a view.
enum class CpuWay { kRefused, kNothing, kSubgraph, kKernel, kMixed, kReference };

// One element type of a group of inputs, with which the REFERENCE device runs the operator.
struct TypeCoverage {
  ElementType type = ElementType::kUndefined;
  CpuWay cpu = CpuWay::kRefused;
};

// Inputs that have one type in the corpus, and what else they may have.
struct InputGroup {
  std::vector<size_t> inputs;
  std::vector<TypeCoverage> types;
};

struct OperatorCoverage {
  std::string domain;
  std::string op;
  // The opsets that defined it anew and in which it reads; the domain's version where that is not ai.onnx's.
  std::vector<int64_t> versions;
  // The operations that it becomes, by name; none where it is resolved while reading.
  std::vector<std::string> operations;
  // Empty where it takes no tensors.
  std::vector<InputGroup> groups;
};

// Returns all operators of the reader's table, by domain and name.
std::vector<OperatorCoverage> CoverOperators(Core& core);

// Returns what CoverOperators says of one, whose forms these are: the first one is asked.
OperatorCoverage CoverOperator(Core& core, const std::vector<onnx::SingleNode>& forms);

}  // namespace burin::coverage_doc

#endif  // BURIN_TOOLS_COVERAGE_DOC_OPERATOR_COVERAGE_H_

// Which of a model's operations a device supports, by kind of operation, and why not the others.
//
// Value type.
#ifndef BURIN_TOOLS_QUERY_MODEL_REPORT_H_
#define BURIN_TOOLS_QUERY_MODEL_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/model.h"
#include "nlohmann/json.hpp"
#include "runtime/dev/model_support.h"

namespace burin::query {

struct OpTypeReport {
  int64_t supported = 0;
  // Reason -> the names of the operations that are refused for it, in the model's order.
  std::map<std::string, std::vector<std::string>> refused;

  // Returns how many operations are refused.
  int64_t refused_count() const;
};

struct ModelReport {
  std::string name;
  std::map<std::string, OpTypeReport> types;  // By the operation's name: "MatMul".

  // Return how many operations are supported, or refused.
  int64_t supported_count() const;
  int64_t refused_count() const;
};

// Sorts the operations of `model`, bodies included, by what `support` says of their original names. A device need not
// name the operations of a body: what it does not name shares the verdict on the operation that has the body. One that
// it does not name outside a body is refused for that reason.
ModelReport JudgeModel(const ir::Model& model, const ModelSupport& support);

// Prints for people: a table of operation, supported, refused; then each refused kind with reasons and names.
std::string ToText(const ModelReport& report);
// {"name", "supported", "refused", "operations": [{"type", "supported", "refused", "reasons": [{"reason", "names"}]}]}.
nlohmann::ordered_json ToJson(const ModelReport& report);

}  // namespace burin::query

#endif  // BURIN_TOOLS_QUERY_MODEL_REPORT_H_

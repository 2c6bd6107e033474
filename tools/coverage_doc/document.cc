#include "tools/coverage_doc/document.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::coverage_doc {
namespace {

constexpr const char* kIntroduction = R"(# Coverage

Printed by `./bazelw run //tools:coverage_doc > docs/coverage.md` from what the reader and the devices do with a small
model for each operator (`runtime/readers/onnx/corpus`); a test keeps both alike.

An operator of the reader's table has a line for each group of inputs that have one type in that model. *opsets* are
those that defined the operator anew and read; *operations* are what it becomes. *REFERENCE* lists the element types
with which the group's inputs read and run, the others being as they are in the model. *CPU* says how the same models
run there, on any processor with AVX2:

| way | meaning |
| --- | --- |
| subgraph | one kernel for all that is element-wise, reducing or normalising |
| kernel | other kernels: products, convolutions, windows, movements, along an axis |
| mixed | some of it by kernels, some by references |
| reference | by the definitions of its operations |
| nothing | it is known when the model is compiled, or a view |

`F` stands for bf16, f16, f32 and f64, `I` for i8, i16, i32 and i64, `U` for u8, u16, u32 and u64. What a type says of
values is not shown: many operators take any shape, a few refuse some attributes, with a Status that names them.
)";

struct TypeClass {
  const char* letter;
  std::vector<ElementType> types;
};

const std::vector<TypeClass>& TypeClasses() {
  static const auto* const classes = new std::vector<TypeClass>({
      {"F", {ElementType::kBf16, ElementType::kF16, ElementType::kF32, ElementType::kF64}},
      {"I", {ElementType::kI8, ElementType::kI16, ElementType::kI32, ElementType::kI64}},
      {"U", {ElementType::kU8, ElementType::kU16, ElementType::kU32, ElementType::kU64}},
  });
  return *classes;
}

const char* WayText(CpuWay way) {
  switch (way) {
    case CpuWay::kRefused:
      return "refused";
    case CpuWay::kNothing:
      return "nothing";
    case CpuWay::kSubgraph:
      return "subgraph";
    case CpuWay::kKernel:
      return "kernel";
    case CpuWay::kMixed:
      return "mixed";
    case CpuWay::kReference:
      return "reference";
  }
  return "";
}

// "kernel: F; reference: I U".
std::string CpuText(const InputGroup& group) {
  std::map<CpuWay, std::vector<ElementType>> types;
  for (const TypeCoverage& covered : group.types) types[covered.cpu].push_back(covered.type);
  return absl::StrJoin(types, "; ", [](std::string* out, const auto& entry) {
    absl::StrAppend(out, WayText(entry.first), ": ", TypesText(entry.second));
  });
}

std::string GroupCells(const InputGroup& group) {
  std::vector<ElementType> types;
  for (const TypeCoverage& covered : group.types) types.push_back(covered.type);
  return absl::StrCat(absl::StrJoin(group.inputs, ", "), " | ", TypesText(types), " | ", CpuText(group));
}

void AppendOperator(const OperatorCoverage& coverage, std::string* text) {
  const std::string head = absl::StrCat("| `", coverage.op, "` | ", absl::StrJoin(coverage.versions, " "), " | ",
                                        coverage.operations.empty() ? "" : absl::StrJoin(coverage.operations, " "));
  if (coverage.groups.empty()) absl::StrAppend(text, head, " |  |  |  |\n");
  for (size_t i = 0; i < coverage.groups.size(); ++i) {
    absl::StrAppend(text, i == 0 ? head : "|  |  | ", " | ", GroupCells(coverage.groups[i]), " |\n");
  }
}

void AppendDomain(const std::vector<OperatorCoverage>& operators, absl::string_view domain, std::string* text) {
  absl::StrAppend(text, "| operator | opsets | operations | inputs | REFERENCE | CPU |\n",
                  "| --- | --- | --- | --- | --- | --- |\n");
  for (const OperatorCoverage& coverage : operators) {
    if (coverage.domain == domain) AppendOperator(coverage, text);
  }
}

void AppendOperations(const std::vector<OperatorCoverage>& operators, std::string* text) {
  std::map<std::string, std::vector<std::string>> users;
  for (const OperatorCoverage& coverage : operators) {
    for (const std::string& operation : coverage.operations) {
      users[operation].push_back(coverage.domain.empty() ? coverage.op
                                                         : absl::StrCat(coverage.op, " (", coverage.domain, ")"));
    }
  }
  absl::StrAppend(text, "| operation | specification | operators |\n| --- | --- | --- |\n");
  for (const ir::OpDef* const op : ir::AllOps()) {
    absl::StrAppend(text, "| `", op->name, "` | ", op->opset, " | ", absl::StrJoin(users[op->name], ", "), " |\n");
  }
}

// Returns the operators of the standard that the table lacks.
std::vector<std::string> Refused(const std::vector<OperatorCoverage>& operators) {
  std::set<std::string> has;
  for (const OperatorCoverage& coverage : operators) {
    if (coverage.domain.empty()) has.insert(coverage.op);
  }
  std::vector<std::string> refused;
  for (const absl::string_view op : onnx::AllOperators()) {
    if (has.count(std::string(op)) == 0) refused.push_back(absl::StrCat("`", op, "`"));
  }
  return refused;
}

}  // namespace

std::string TypesText(const std::vector<ElementType>& types) {
  std::vector<ElementType> left = types;
  std::vector<std::string> words;
  for (const TypeClass& type_class : TypeClasses()) {
    const auto has = [&](ElementType type) { return std::find(left.begin(), left.end(), type) != left.end(); };
    if (!std::all_of(type_class.types.begin(), type_class.types.end(), has)) continue;
    words.push_back(type_class.letter);
    const auto in_class = [&](ElementType type) {
      return std::find(type_class.types.begin(), type_class.types.end(), type) != type_class.types.end();
    };
    left.erase(std::remove_if(left.begin(), left.end(), in_class), left.end());
  }
  for (const ElementType type : left) words.push_back(absl::StrCat(Name(type)));
  return absl::StrJoin(words, " ");
}

std::string CoverageDocument(const std::vector<OperatorCoverage>& operators) {
  std::string text = kIntroduction;
  absl::StrAppend(&text, "\n## Operators of ai.onnx\n\n");
  AppendDomain(operators, "", &text);
  absl::StrAppend(&text, "\n## Operators of com.microsoft\n\n");
  AppendDomain(operators, "com.microsoft", &text);
  absl::StrAppend(&text, "\n## Operations of the model\n\n");
  AppendOperations(operators, &text);
  absl::StrAppend(&text, "\n## Operators of ai.onnx that are refused\n\n", absl::StrJoin(Refused(operators), ", "),
                  "\n");
  return text;
}

}  // namespace burin::coverage_doc

#include "tools/check/tolerance.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/ops/op_code.h"
#include "nlohmann/json.hpp"

namespace burin::check {

namespace {

bool IsNarrowInteger(ElementType type) { return IsInteger(type) && BitWidth(type) <= 8; }

bool IsQuantization(const ir::Model& model, const ir::Node& node) {
  switch (node.code()) {
    case ir::OpCode::kConvert: {
      const ElementType from = model.info(node.input(0)).type;
      const ElementType to = node.output(0).type;
      if (IsNarrowInteger(from) && IsFloat(to)) {
        return model.node(node.input(0).node).code() != ir::OpCode::kParameter;
      }
      return IsFloat(from) && IsNarrowInteger(to);
    }
    case ir::OpCode::kConvolution:
    case ir::OpCode::kGroupConvolution:
    case ir::OpCode::kMatMul:
      return IsInteger(model.info(node.input(0)).type);
    default:
      return false;
  }
}

}  // namespace

const char* ArithmeticName(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kFloat32:
      return "f32";
    case Arithmetic::kFloat16:
      return "f16 or bf16";
    case Arithmetic::kQuantized:
      return "quantised";
  }
  return "unknown";
}

Arithmetic ClassifyArithmetic(const ir::Model& model) {
  Arithmetic found = Arithmetic::kFloat32;
  for (ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (IsQuantization(model, node)) return Arithmetic::kQuantized;
    for (const ir::ValueInfo& output : node.outputs()) {
      if (output.type == ElementType::kF16 || output.type == ElementType::kBf16) {
        found = std::max(found, Arithmetic::kFloat16);
      }
    }
    for (const auto& body : node.bodies()) found = std::max(found, ClassifyArithmetic(*body));
  }
  return found;
}

double DefaultRelativeTolerance(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kFloat32:
      return 1e-4;
    case Arithmetic::kFloat16:
      return 5e-3;
    case Arithmetic::kQuantized:
      return 2e-2;
  }
  return 0;
}

absl::StatusOr<std::optional<double>> ReadSensitivity(const std::string& folder) {
  const std::string path = absl::StrCat(folder, "/meta.json");
  absl::StatusOr<std::string> text = ReadFile(path);
  if (absl::IsNotFound(text.status())) return std::nullopt;
  BURIN_RETURN_IF_ERROR(text.status());
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError(absl::StrCat("Not JSON: ", path));
  if (!json.is_object() || !json.contains("ort_optdiff_rel")) return std::nullopt;
  const nlohmann::json& value = json["ort_optdiff_rel"];
  if (value.is_null()) return std::nullopt;
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
    return absl::InvalidArgumentError(absl::StrCat("ort_optdiff_rel is no number >= 0: ", path));
  }
  return value.get<double>();
}

}  // namespace burin::check

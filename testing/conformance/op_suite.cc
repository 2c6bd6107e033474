#include "testing/conformance/op_suite.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "nlohmann/json.hpp"
#include "onnx/onnx.pb.h"

namespace burin::conformance {
namespace {

using Json = nlohmann::json;

// The opset of tests that name none.
constexpr int64_t kDefaultOpset = 13;

absl::Status Bad(absl::string_view what) { return absl::InvalidArgumentError(what); }

// Returns the member, or null where it is absent or of another kind.
const Json* Member(const Json& json, const char* name, bool (Json::*is_kind)() const noexcept) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found != json.end() && ((*found).*is_kind)() ? &*found : nullptr;
}

std::string Text(const Json& json, const char* name) {
  const Json* const text = Member(json, name, &Json::is_string);
  return text == nullptr ? "" : text->get<std::string>();
}

struct NamedType {
  const char* name;
  ElementType type;
  ::onnx::TensorProto::DataType number;
};

// The schema of the distribution does not name the types of four bits: they are 21 and 22.
constexpr NamedType kTypes[] = {
    {"bool", ElementType::kBoolean, ::onnx::TensorProto::BOOL},
    {"float16", ElementType::kF16, ::onnx::TensorProto::FLOAT16},
    {"float32", ElementType::kF32, ::onnx::TensorProto::FLOAT},
    {"int32", ElementType::kI32, ::onnx::TensorProto::INT32},
    {"int4", ElementType::kI4, static_cast<::onnx::TensorProto::DataType>(22)},
    {"int64", ElementType::kI64, ::onnx::TensorProto::INT64},
    {"uint32", ElementType::kU32, ::onnx::TensorProto::UINT32},
    {"uint4", ElementType::kU4, static_cast<::onnx::TensorProto::DataType>(21)},
    {"uint8", ElementType::kU8, ::onnx::TensorProto::UINT8},
};

// Is a tensor of a test, or its absence.
struct OpTensor {
  const NamedType* type = nullptr;
  std::optional<ir::Tensor> value;
};

// JSON has no infinities and no NaN: they are strings, or null for NaN.
absl::StatusOr<double> Number(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_number()) return json.get<double>();
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  if (absl::StrContains(text, "NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (absl::StrContains(text, "Infinity") || absl::StrContains(text, "inf")) {
    const double infinity = std::numeric_limits<double>::infinity();
    return absl::StartsWith(text, "-") ? -infinity : infinity;
  }
  return Bad("An element is no number");
}

absl::StatusOr<OpTensor> ReadTensor(const Json& json) {
  const std::string name = Text(json, "type");
  OpTensor tensor;
  for (const NamedType& type : kTypes) {
    if (name == type.name) tensor.type = &type;
  }
  if (tensor.type == nullptr) return Bad("A tensor has a type that is not known");
  const Json* const data = Member(json, "data", &Json::is_array);
  if (data == nullptr) return tensor;
  ir::Shape shape;
  const Json* const dims = Member(json, "dims", &Json::is_array);
  if (dims == nullptr) return Bad("A tensor has data and no dims");
  for (const Json& dim : *dims) {
    if (!dim.is_number_integer()) return Bad("A dimension is no integer");
    shape.push_back(dim.get<int64_t>());
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor value, ir::Tensor::Create(tensor.type->type, shape));
  if (value.element_count() != static_cast<int64_t>(data->size())) return Bad("A tensor has other data than dims");
  for (size_t i = 0; i < data->size(); ++i) {
    const Json& element = (*data)[i];
    if (element.is_number_integer()) {
      StoreFromInt64(tensor.type->type, value.mutable_data(), static_cast<int64_t>(i), element.get<int64_t>());
      continue;
    }
    BURIN_ASSIGN_OR_RETURN(const double number, Number(element));
    StoreFromDouble(tensor.type->type, value.mutable_data(), static_cast<int64_t>(i), number);
  }
  tensor.value = std::move(value);
  return tensor;
}

absl::StatusOr<std::vector<OpTensor>> ReadTensors(const Json& json, const char* name) {
  const Json* const list = Member(json, name, &Json::is_array);
  if (list == nullptr) return Bad("A case has no inputs or no outputs");
  std::vector<OpTensor> tensors;
  for (const Json& entry : *list) {
    BURIN_ASSIGN_OR_RETURN(OpTensor tensor, ReadTensor(entry));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

absl::Status AddAttribute(const Json& json, ::onnx::NodeProto* node) {
  using Attribute = ::onnx::AttributeProto;
  const std::string type = Text(json, "type");
  if (!json.is_object() || !json.contains("data")) return Bad("An attribute has no data");
  const Json& data = json["data"];
  Attribute& attribute = *node->add_attribute();
  attribute.set_name(Text(json, "name"));
  if (type == "int" && data.is_number()) {
    attribute.set_type(Attribute::INT);
    attribute.set_i(data.get<int64_t>());
  } else if (type == "float" && data.is_number()) {
    attribute.set_type(Attribute::FLOAT);
    attribute.set_f(data.get<float>());
  } else if (type == "string" && data.is_string()) {
    attribute.set_type(Attribute::STRING);
    attribute.set_s(data.get<std::string>());
  } else if ((type == "ints" || type == "floats") && data.is_array()) {
    attribute.set_type(type == "ints" ? Attribute::INTS : Attribute::FLOATS);
    for (const Json& element : data) {
      if (!element.is_number()) return Bad("An attribute has an element that is no number");
      if (type == "ints") {
        attribute.add_ints(element.get<int64_t>());
      } else {
        attribute.add_floats(element.get<float>());
      }
    }
  } else {
    return Bad("An attribute has another type than its data, or one that is not known");
  }
  return absl::OkStatus();
}

::onnx::TensorProto ToProto(const OpTensor& tensor) {
  ::onnx::TensorProto proto;
  proto.set_data_type(tensor.type->number);
  for (const int64_t dim : tensor.value->shape()) proto.add_dims(dim);
  proto.set_raw_data(tensor.value->data(), static_cast<size_t>(tensor.value->byte_size()));
  return proto;
}

void SetType(const OpTensor& tensor, bool rank_only, ::onnx::ValueInfoProto* value) {
  ::onnx::TypeProto::Tensor& type = *value->mutable_type()->mutable_tensor_type();
  type.set_elem_type(tensor.type->number);
  if (!tensor.value.has_value()) return;
  ::onnx::TensorShapeProto& shape = *type.mutable_shape();
  for (const int64_t dim : tensor.value->shape()) {
    ::onnx::TensorShapeProto::Dimension& added = *shape.add_dim();
    if (!rank_only) added.set_dim_value(dim);
  }
}

absl::StatusOr<::onnx::ModelProto> MakeModel(const Json& test, const std::vector<OpTensor>& inputs,
                                             const std::vector<OpTensor>& outputs) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  const Json* const opset = Member(test, "opset", &Json::is_object);
  const std::string domain = opset == nullptr ? "" : Text(*opset, "domain");
  const Json* const version = opset == nullptr ? nullptr : Member(*opset, "version", &Json::is_number_integer);
  ::onnx::OperatorSetIdProto& import = *model.add_opset_import();
  import.set_domain(domain);
  import.set_version(version == nullptr ? kDefaultOpset : version->get<int64_t>());
  ::onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name(Text(test, "name"));
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(Text(test, "operator"));
  node.set_domain(domain);
  if (const Json* const attributes = Member(test, "attributes", &Json::is_array)) {
    for (const Json& attribute : *attributes) BURIN_RETURN_IF_ERROR(AddAttribute(attribute, &node));
  }
  const bool rank_only = Text(test, "inputShapeDefinitions") == "rankOnly";
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = inputs[i].value.has_value() ? absl::StrCat("input_", i) : "";
    node.add_input(name);
    if (name.empty()) continue;
    ::onnx::ValueInfoProto& value = *graph.add_input();
    value.set_name(name);
    SetType(inputs[i], rank_only, &value);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = outputs[i].value.has_value() ? absl::StrCat("output_", i) : "";
    node.add_output(name);
    if (name.empty()) continue;
    ::onnx::ValueInfoProto& value = *graph.add_output();
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(outputs[i].type->number);
  }
  return model;
}

absl::Status WriteTensors(const std::vector<OpTensor>& tensors, const std::string& stem) {
  int number = 0;
  for (const OpTensor& tensor : tensors) {
    if (!tensor.value.has_value()) continue;
    BURIN_RETURN_IF_ERROR(
        WriteFileAtomically(absl::StrCat(stem, number++, ".pb"), ToProto(tensor).SerializeAsString()));
  }
  return absl::OkStatus();
}

absl::Status WriteCase(const Json& test, const Json& test_case, const std::string& folder) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<OpTensor> inputs, ReadTensors(test_case, "inputs"));
  BURIN_ASSIGN_OR_RETURN(const std::vector<OpTensor> outputs, ReadTensors(test_case, "outputs"));
  BURIN_ASSIGN_OR_RETURN(const ::onnx::ModelProto model, MakeModel(test, inputs, outputs));
  const std::string data = absl::StrCat(folder, "/test_data_set_0");
  std::error_code error;
  std::filesystem::create_directories(data, error);
  if (error) return absl::UnavailableError(absl::StrCat("Cannot make a folder: ", data));
  BURIN_RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(folder, "/model.onnx"), model.SerializeAsString()));
  BURIN_RETURN_IF_ERROR(WriteTensors(inputs, absl::StrCat(data, "/input_")));
  return WriteTensors(outputs, absl::StrCat(data, "/output_"));
}

}  // namespace

absl::StatusOr<int64_t> WriteOpTests(absl::string_view json, const std::string& folder) {
  const Json tests = Json::parse(json.begin(), json.end(), nullptr, /*allow_exceptions=*/false,
                                 /*ignore_comments=*/true);
  if (!tests.is_array()) return Bad("A file of operator tests is a list in JSON");
  int64_t count = 0;
  for (size_t t = 0; t < tests.size(); ++t) {
    const Json* const cases = Member(tests[t], "cases", &Json::is_array);
    if (cases == nullptr) return Bad(absl::StrCat("An operator has no cases: ", t));
    for (size_t c = 0; c < cases->size(); ++c) {
      const std::string name = absl::StrCat(t, "_", c);
      BURIN_RETURN_IF_ERROR(WithContext(WriteCase(tests[t], (*cases)[c], absl::StrCat(folder, "/", name)), name));
      ++count;
    }
  }
  return count;
}

absl::Status WriteOpSuite(const std::string& source, const std::string& target) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(source, error)) {
    const std::string name = entry.path().filename().string();
    if (absl::EndsWith(name, ".jsonc") && !absl::StartsWith(name, "_")) files.push_back(entry.path());
  }
  if (files.empty()) return absl::NotFoundError(absl::StrCat("No operator tests in ", source));
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    BURIN_ASSIGN_OR_RETURN(const std::string text, ReadFile(file.string()));
    const std::string folder = absl::StrCat(target, "/", file.stem().string());
    BURIN_RETURN_IF_ERROR(WithContext(WriteOpTests(text, folder).status(), file.string()));
  }
  return absl::OkStatus();
}

}  // namespace burin::conformance

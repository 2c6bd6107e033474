#include "testing/conformance/case_runner.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/element_type.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/model.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"
#include "runtime/readers/onnx/onnx_reader.h"
#include "tools/check/checker.h"
#include "tools/check/data_set.h"

namespace burin::conformance {

namespace {

namespace fs = std::filesystem;

// arange(n)/n in the shape of the port, as the suite's own runner feeds light models.
absl::StatusOr<ir::Tensor> LightInput(const Port& port) {
  if (port.element_type != ElementType::kF32 || port.shape.is_dynamic()) {
    return absl::InvalidArgumentError(absl::StrCat("A light model has one static f32 input, not ", ToString(port)));
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor input, ir::Tensor::Create(port.element_type, port.shape.ToShape()));
  const int64_t count = input.element_count();
  for (int64_t i = 0; i < count; ++i) {
    input.mutable_data_as<float>()[i] = static_cast<float>(i) / static_cast<float>(count);
  }
  return input;
}

// Older releases of the suite store the bits of bf16 tensors as u16.
absl::Status ReadBf16Bits(const std::vector<Port>& ports, std::vector<ir::Tensor>* tensors) {
  for (size_t i = 0; i < std::min(ports.size(), tensors->size()); ++i) {
    ir::Tensor& tensor = (*tensors)[i];
    if (ports[i].element_type != ElementType::kBf16 || tensor.element_type() != ElementType::kU16) continue;
    BURIN_ASSIGN_OR_RETURN(
        tensor, ir::Tensor::FromStorage(ElementType::kBf16, tensor.shape(), tensor.storage(), tensor.storage_offset()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<check::DataSet>> DataOf(const Case& test_case, const Model& model) {
  std::vector<check::DataSet> data;
  if (fs::is_directory(test_case.path)) {
    BURIN_ASSIGN_OR_RETURN(std::vector<std::string> folders, check::FindDataSets(test_case.path));
    for (const std::string& folder : folders) {
      BURIN_ASSIGN_OR_RETURN(check::DataSet set, check::ReadDataSet(folder));
      BURIN_RETURN_IF_ERROR(ReadBf16Bits(model.inputs(), &set.inputs));
      BURIN_RETURN_IF_ERROR(ReadBf16Bits(model.outputs(), &set.outputs));
      data.push_back(std::move(set));
    }
    return data;
  }
  if (model.inputs().size() != 1) return absl::InvalidArgumentError("A light model has one input");
  check::DataSet set;
  BURIN_ASSIGN_OR_RETURN(ir::Tensor input, LightInput(model.inputs()[0]));
  set.inputs.push_back(std::move(input));
  const std::string stem(absl::StripSuffix(test_case.path, ".onnx"));
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file, MappedFile::Open(stem + "_output_0.pb"));
  BURIN_ASSIGN_OR_RETURN(ir::Tensor output,
                         onnx::ReadOnnxTensor(ir::Storage::Borrow(file, file->data(), file->size())));
  set.outputs.push_back(std::move(output));
  data.push_back(std::move(set));
  return data;
}

// Tighter than the suite's own runner for f32, and exact for integers.
check::Bound BoundFor(const Port& port) {
  check::Bound bound;
  bound.relative = BitWidth(port.element_type) >= 32 ? 1e-4 : 5e-3;
  return bound;
}

// The suite's own rule, a relative error of 1e-3 for each element: some of its files hold four digits.
bool HoldsBySuite(const check::Verdict& verdict) {
  return verdict.problem.empty() && IsFloat(verdict.port.element_type) && verdict.comparison.max_element_error <= 1e-3;
}

// Gives inputs the shapes of the data where these are others than the model declares: some data of the suite broadcast.
absl::Status AdoptShapes(const std::vector<check::DataSet>& data, Model* model) {
  std::map<size_t, PartialShape> shapes;
  const std::vector<Port> inputs = model->inputs();
  for (const check::DataSet& set : data) {
    for (size_t i = 0; i < std::min(inputs.size(), set.inputs.size()); ++i) {
      const Shape& shape = set.inputs[i].shape();
      if (!inputs[i].shape.Accepts(shape)) shapes[i] = PartialShape(shape);
    }
  }
  return shapes.empty() ? absl::OkStatus() : model->Reshape(shapes);
}

absl::Status Run(const Case& test_case, const std::string& device) {
  const std::string model_path = fs::is_directory(test_case.path) ? test_case.path + "/model.onnx" : test_case.path;
  Core core;
  BURIN_ASSIGN_OR_RETURN(Model model, core.ReadModel(model_path));
  BURIN_ASSIGN_OR_RETURN(std::vector<check::DataSet> data, DataOf(test_case, model));
  BURIN_RETURN_IF_ERROR(AdoptShapes(data, &model));
  BURIN_ASSIGN_OR_RETURN(CompiledModel compiled, core.CompileModel(model, device));
  for (const check::DataSet& set : data) {
    BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> outputs, check::RunOnce(compiled, set.inputs));
    if (outputs.size() != set.outputs.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the data has ", set.outputs.size(), " outputs, the model ", outputs.size()));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Port& port = compiled.outputs()[i];
      BURIN_ASSIGN_OR_RETURN(std::vector<check::Verdict> verdicts,
                             check::Judge({port}, {outputs[i]}, {set.outputs[i]}, BoundFor(port)));
      if (!verdicts[0].holds && !HoldsBySuite(verdicts[0])) {
        return absl::InvalidArgumentError(verdicts[0].ToString());
      }
    }
  }
  return absl::OkStatus();
}

void AddFolder(const std::string& root, const std::string& group, std::vector<Case>* cases) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root + "/" + group, error)) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(entry.path() / "model.onnx")) {
      cases->push_back({absl::StrCat(group, "/", name), entry.path().string()});
    } else if (absl::EndsWith(name, ".onnx") && !fs::is_directory(entry.path())) {
      cases->push_back({absl::StrCat(group, "/", absl::StripSuffix(name, ".onnx")), entry.path().string()});
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<Case>> FindCases(const std::string& root) {
  std::vector<Case> cases;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    if (fs::is_directory(entry.path())) AddFolder(root, entry.path().filename().string(), &cases);
  }
  if (cases.empty()) return absl::NotFoundError(absl::StrCat("No cases of the ONNX backend suite in ", root));
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

Result RunCase(const Case& test_case, const std::string& device) {
  const absl::Status status = Run(test_case, device);
  if (status.ok()) return {Outcome::kPassed, ""};
  if (absl::IsUnimplemented(status)) return {Outcome::kOpNotYet, std::string(status.message())};
  return {Outcome::kFailed, status.ToString()};
}

}  // namespace burin::conformance

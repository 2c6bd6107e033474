#include "tools/check/data_set.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/mapped_file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/storage.h"
#include "runtime/readers/onnx/onnx_reader.h"

namespace burin::check {

namespace {

constexpr int64_t kDynamicExtent = 64;

bool IsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

absl::StatusOr<ir::Tensor> ReadTensor(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
  std::shared_ptr<ir::Storage> bytes = ir::Storage::Borrow(file, file->data(), file->size());
  absl::StatusOr<ir::Tensor> tensor = onnx::ReadOnnxTensor(std::move(bytes));
  if (!tensor.ok()) return WithContext(tensor.status(), path);
  return tensor;
}

absl::StatusOr<std::vector<ir::Tensor>> ReadNumbered(const std::string& folder, absl::string_view stem) {
  std::vector<ir::Tensor> tensors;
  while (true) {
    const std::string path = absl::StrCat(folder, "/", stem, "_", tensors.size(), ".pb");
    if (!IsFile(path)) return tensors;
    BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ReadTensor(path));
    tensors.push_back(std::move(tensor));
  }
}

ir::Shape ConcreteShape(const ir::PartialShape& shape) {
  ir::Shape concrete;
  for (const ir::Dimension& dim : shape.dims()) {
    const int64_t wanted = concrete.empty() ? 1 : kDynamicExtent;
    concrete.push_back(std::min(std::max(wanted, dim.min()), dim.max()));
  }
  return concrete;
}

double UnitInterval(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

void Fill(const ir::Tensor& tensor, std::mt19937_64& random) {
  const ElementType type = tensor.element_type();
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (IsFloat(type)) {
      StoreFromDouble(type, tensor.mutable_data(), i, 2 * UnitInterval(random) - 1);
    } else if (IsInteger(type) && BitWidth(type) <= 8) {
      StoreFromInt64(type, tensor.mutable_data(), i, static_cast<int64_t>(random() >> 8));
    } else {
      StoreFromInt64(type, tensor.mutable_data(), i, static_cast<int64_t>(random() >> 63));
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindDataSets(const std::string& folder) {
  if (IsFile(folder + "/input_0.pb") || IsFile(folder + "/output_0.pb")) return std::vector<std::string>{folder};
  std::vector<std::pair<int64_t, std::string>> numbered;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    absl::string_view rest = name;
    int64_t number = 0;
    if (absl::ConsumePrefix(&rest, "test_data_set_") && absl::SimpleAtoi(rest, &number)) {
      numbered.emplace_back(number, entry.path().string());
    }
  }
  if (error) return absl::NotFoundError(absl::StrCat("Cannot read folder ", folder, ": ", error.message()));
  if (numbered.empty()) return absl::NotFoundError(absl::StrCat("No test_data_set_* in folder ", folder));
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::string> folders;
  for (auto& [number, path] : numbered) folders.push_back(std::move(path));
  return folders;
}

absl::StatusOr<DataSet> ReadDataSet(const std::string& folder) {
  DataSet data;
  data.name = std::filesystem::path(folder).filename().string();
  BURIN_ASSIGN_OR_RETURN(data.inputs, ReadNumbered(folder, "input"));
  BURIN_ASSIGN_OR_RETURN(data.outputs, ReadNumbered(folder, "output"));
  return data;
}

absl::StatusOr<DataSet> MakeDataSet(const std::vector<Port>& inputs, uint64_t seed) {
  DataSet data;
  data.name = absl::StrCat("seed ", seed);
  std::mt19937_64 random(seed);
  for (const Port& port : inputs) {
    if (!port.shape.has_rank()) {
      return absl::UnimplementedError(absl::StrCat("Inputs of dynamic rank cannot be made up: ", ToString(port)));
    }
    BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(port.element_type, ConcreteShape(port.shape)));
    Fill(tensor, random);
    data.inputs.push_back(std::move(tensor));
  }
  return data;
}

}  // namespace burin::check

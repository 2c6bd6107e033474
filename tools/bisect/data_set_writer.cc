#include "tools/bisect/data_set_writer.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/tensor.h"
#include "onnx/onnx.pb.h"
#include "runtime/readers/onnx/data_type.h"

namespace burin::bisect {
namespace {

// Looks the number up in the reader's table, so that there is one table.
absl::StatusOr<int32_t> OnnxNumberOf(ElementType type) {
  constexpr int32_t kMostTypes = 64;
  for (int32_t number = 1; number < kMostTypes; ++number) {
    const absl::StatusOr<ElementType> read = onnx::ElementTypeFromOnnx(number);
    if (read.ok() && *read == type) return number;
  }
  return absl::UnimplementedError(absl::StrCat("ONNX has no element type ", Name(type)));
}

absl::Status WriteTensors(const std::string& folder, absl::string_view stem, const std::vector<ir::Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    ::onnx::TensorProto proto;
    BURIN_ASSIGN_OR_RETURN(const int32_t number, OnnxNumberOf(tensors[i].element_type()));
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, tensors[i].ToDense());
    proto.set_data_type(number);
    for (const int64_t size : dense.shape()) proto.add_dims(size);
    proto.set_raw_data(dense.data(), dense.byte_size());
    BURIN_RETURN_IF_ERROR(
        WriteFileAtomically(absl::StrCat(folder, "/", stem, "_", i, ".pb"), proto.SerializeAsString()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteDataSet(const std::string& folder, const check::DataSet& data) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return absl::InvalidArgumentError(absl::StrCat("Cannot make folder ", folder, ": ", error.message()));
  BURIN_RETURN_IF_ERROR(WriteTensors(folder, "input", data.inputs));
  return WriteTensors(folder, "output", data.outputs);
}

}  // namespace burin::bisect

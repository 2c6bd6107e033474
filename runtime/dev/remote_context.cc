#include "runtime/dev/remote_context.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin {

absl::StatusOr<ir::Tensor> IRemoteContext::CreateTensor(ElementType, const ir::Shape&, const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Device has no memory of its own, only host tensors: ", device_name_));
}

absl::StatusOr<ir::Tensor> IRemoteContext::CreateHostTensor(ElementType type, const ir::Shape& shape) {
  return ir::Tensor::Create(type, shape);
}

}  // namespace burin

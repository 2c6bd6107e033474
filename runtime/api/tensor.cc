#include "runtime/api/tensor.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin {

namespace {

absl::StatusOr<Shape> StaticShape(const Port& port) {
  if (port.shape.is_static()) return port.shape.ToShape();
  return absl::InvalidArgumentError(absl::StrCat("A tensor needs a static shape; the port is ", ToString(port)));
}

}  // namespace

absl::StatusOr<Tensor> CreateTensor(const Port& port) {
  BURIN_ASSIGN_OR_RETURN(const Shape shape, StaticShape(port));
  return Tensor::Create(port.element_type, shape);
}

absl::StatusOr<Tensor> ViewTensor(const Port& port, void* data) {
  BURIN_ASSIGN_OR_RETURN(const Shape shape, StaticShape(port));
  return Tensor::View(port.element_type, shape, data);
}

}  // namespace burin

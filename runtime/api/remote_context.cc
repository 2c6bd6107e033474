#include "runtime/api/remote_context.h"

#include "runtime/dev/remote_context.h"

namespace burin {

const std::string& RemoteContext::device_name() const { return context_->device_name(); }

absl::StatusOr<Tensor> RemoteContext::CreateTensor(ElementType type, const Shape& shape,
                                                   const PropertyMap& properties) const {
  return context_->CreateTensor(type, shape, properties);
}

absl::StatusOr<Tensor> RemoteContext::CreateHostTensor(ElementType type, const Shape& shape) const {
  return context_->CreateHostTensor(type, shape);
}

}  // namespace burin

// Public header "burin/tensor.h": tensors and shapes.
#ifndef BURIN_RUNTIME_API_TENSOR_H_
#define BURIN_RUNTIME_API_TENSOR_H_

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin {

using ir::Dimension;
using ir::PartialShape;
using ir::Shape;
using ir::Tensor;

}  // namespace burin

#endif  // BURIN_RUNTIME_API_TENSOR_H_

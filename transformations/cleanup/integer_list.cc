#include "transformations/cleanup/integer_list.h"

#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"

namespace burin::transformations {

absl::StatusOr<ir::Tensor> IntegerList(absl::Span<const int64_t> elements) {
  const auto count = static_cast<int64_t>(elements.size());
  BURIN_ASSIGN_OR_RETURN(ir::Tensor list, ir::Tensor::Create(ElementType::kI64, {count}));
  StoreRangeFromInt64(ElementType::kI64, list.mutable_data(), 0, count, elements.data());
  return list;
}

}  // namespace burin::transformations

#include "transformations/random_inputs_testlib.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/dimension.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"

namespace burin::transformations {
namespace {

// Returns a number from [0, limit).
int64_t Below(std::mt19937_64& random, int64_t limit) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
}

double RandomFloat(std::mt19937_64& random, bool special) {
  constexpr double kSpecial[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<float>::max(),
                                 -std::numeric_limits<float>::max(),
                                 std::numeric_limits<float>::min(),
                                 -std::numeric_limits<float>::denorm_min()};
  if (special && Below(random, 3) == 0) return kSpecial[Below(random, std::size(kSpecial))];
  return static_cast<double>(random() >> 11) * 0x1p-51 - 2.0;
}

// Gives sizes to dimensions, one to each symbol.
class Sizes {
 public:
  Sizes(std::mt19937_64& random, int64_t max_dynamic) : random_(random), max_dynamic_(max_dynamic) {
    // A few sizes for a whole model, since most unrelated dimensions have to agree somewhere. 0 is rare: it hides
    // everything else.
    common_ = 1 + Below(random_, max_dynamic_);
    if (Below(random_, 8) == 0) common_ = 0;
  }

  int64_t Of(const ir::Dimension& dim) {
    if (dim.is_static()) return dim.value();
    if (dim.symbol().empty()) return Draw(dim);
    const auto it = symbols_.find(dim.symbol());
    if (it != symbols_.end()) return it->second;
    return symbols_[dim.symbol()] = Draw(dim);
  }

 private:
  int64_t Draw(const ir::Dimension& dim) {
    const int64_t limit = std::min(dim.max() - dim.min(), max_dynamic_);
    const int64_t choice = Below(random_, 8);
    if (choice < 5) return std::clamp(common_, dim.min(), dim.min() + limit);
    if (choice < 7) return std::clamp(int64_t{1}, dim.min(), dim.min() + limit);
    return dim.min() + Below(random_, limit + 1);
  }

  std::mt19937_64& random_;
  const int64_t max_dynamic_;
  int64_t common_;
  absl::flat_hash_map<std::string, int64_t> symbols_;
};

}  // namespace

ir::Tensor RandomTensorOf(std::mt19937_64& random, ElementType type, const ir::Shape& shape,
                          const RandomInputOptions& options) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(type, shape);
  BURIN_CHECK_OK(tensor);
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    if (IsFloat(type)) {
      StoreFromDouble(type, tensor->mutable_data(), i, RandomFloat(random, options.special_floats));
    } else if (type == ElementType::kBoolean) {
      StoreFromInt64(type, tensor->mutable_data(), i, Below(random, 2));
    } else {
      const int64_t lowest = IsUnsignedInteger(type) ? std::max(options.min_integer, int64_t{0}) : options.min_integer;
      const int64_t span = std::max(options.max_integer - lowest, int64_t{0});
      // Saturates where the type is narrower than the range.
      StoreFromDouble(type, tensor->mutable_data(), i, static_cast<double>(lowest + Below(random, span + 1)));
    }
  }
  return *std::move(tensor);
}

std::vector<ir::Tensor> RandomInputs(std::mt19937_64& random, const ir::Model& model,
                                     const RandomInputOptions& options) {
  Sizes sizes(random, options.max_dynamic);
  std::vector<ir::Tensor> inputs;
  for (const ir::NodeId id : model.parameters()) {
    const auto& parameter = model.node(id).attributes_as<ir::ParameterAttributes>();
    const ir::PartialShape declared =
        parameter.shape.has_rank() ? parameter.shape : ir::PartialShape::OfRank(Below(random, options.max_dynamic + 1));
    ir::Shape shape;
    for (const ir::Dimension& dim : declared.dims()) shape.push_back(sizes.Of(dim));
    inputs.push_back(RandomTensorOf(random, parameter.element_type, shape, options));
  }
  return inputs;
}

}  // namespace burin::transformations

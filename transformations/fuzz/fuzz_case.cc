#include "transformations/fuzz/fuzz_case.h"

#include <random>
#include <utility>

#include "base/check.h"
#include "base/element_type.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/ops/parameter.h"
#include "ir/verifier.h"
#include "transformations/random_inputs_testlib.h"

namespace burin::transformations {
namespace {

GraphStyle AnyRoundingStyle(std::mt19937_64& random) {
  GraphStyle style;
  // In f64 what is wrong stands far above what is rounded.
  switch (random() % 9) {
    case 0:
      style.float_type = ElementType::kF32;
      break;
    case 1:
      style.float_type = ElementType::kF16;
      break;
    case 2:
      style.float_type = ElementType::kBf16;
      break;
    default:
      style.float_type = ElementType::kF64;
  }
  style.largest_magnitude = style.float_type == ElementType::kF16 ? 100 : 1e4;
  return style;
}

bool HasDynamicParameter(const ir::Model& model) {
  for (const ir::NodeId id : model.parameters()) {
    if (model.node(id).attributes_as<ir::ParameterAttributes>().shape.is_dynamic()) return true;
  }
  return false;
}

// Returns series of runs on these inputs.
std::vector<RunSeries> SeriesOf(const ir::Model& model, std::vector<std::vector<ir::Tensor>> inputs) {
  std::vector<RunSeries> samples;
  for (std::vector<ir::Tensor>& once : inputs) {
    RunSeries series = {std::move(once)};
    // Only a second run sees what the first one assigned.
    if (!model.variables().empty()) series.push_back(series[0]);
    samples.push_back(std::move(series));
  }
  return samples;
}

// Returns a case whose model was not grown: strange attributes, names and ids, and most operations meet in ways that no
// exporter writes. Many such models refuse all inputs.
FuzzCase MakeStrangeCase(std::mt19937_64& random) {
  FuzzCase fuzz_case;
  fuzz_case.model = ir::RandomModel(random, 12);
  std::vector<std::vector<ir::Tensor>> inputs;
  for (int i = 0; i < 20; ++i) {
    RandomInputOptions options;
    options.min_integer = 0;
    options.max_integer = 3;
    options.special_floats = i % 2 == 1;
    inputs.push_back(RandomInputs(random, *fuzz_case.model, options));
  }
  fuzz_case.samples = SeriesOf(*fuzz_case.model, std::move(inputs));
  return fuzz_case;
}

}  // namespace

FuzzCase MakeFuzzCase(uint64_t seed, int steps, absl::Span<const Grower> growers) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15 + 1);
  if (random() % 10 == 0) return MakeStrangeCase(random);
  FuzzCase fuzz_case;
  fuzz_case.mode = random() % 5 < 2 ? FuzzMode::kRounding : FuzzMode::kExact;
  const bool exact = fuzz_case.mode == FuzzMode::kExact;
  GrowingGraph graph(random, growers, exact ? GraphStyle() : AnyRoundingStyle(random));
  graph.Grow(1 + static_cast<int>(random() % static_cast<uint64_t>(steps)));
  graph.AddResults();

  std::vector<std::vector<ir::Tensor>> inputs = {graph.ParameterWitnesses(), graph.OtherInputs(false)};
  if (exact) inputs.push_back(graph.OtherInputs(true));
  if (HasDynamicParameter(graph.model())) {
    RandomInputOptions options;
    options.min_integer = 0;
    options.max_integer = 3;
    for (int i = 0; i < 3; ++i) inputs.push_back(RandomInputs(random, graph.model(), options));
  }
  fuzz_case.samples = SeriesOf(graph.model(), std::move(inputs));
  fuzz_case.model = graph.TakeModel();
  BURIN_CHECK_OK(ir::Verify(*fuzz_case.model)) << "seed " << seed;
  return fuzz_case;
}

}  // namespace burin::transformations

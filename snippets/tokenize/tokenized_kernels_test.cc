// The kernels of what the tokenizer makes: each Subgraph of random graphs, compiled and run against the reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/lowering/memory_view.h"
#include "snippets/testing/random_inputs.h"
#include "snippets/testing/subgraph_runner.h"
#include "snippets/tokenize/legality.h"
#include "snippets/tokenize/tokenize.h"
#include "snippets/tokenize/tokenize_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Compares each Subgraph's kernel with its body. Returns how many there were.
int CheckSubgraphs(const ir::Model& model, const jit::Target& target, std::mt19937_64& random, uint64_t seed) {
  int count = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    if (model.node(id).code() != ir::OpCode::kSubgraph) continue;
    const ir::Model& body = *model.node(id).bodies()[0];
    const absl::StatusOr<SubgraphRunner> runner = SubgraphRunner::Create(body, target);
    EXPECT_OK(runner.status()) << "seed " << seed << "\n" << ir::PrintModel(body).value_or("");
    const absl::StatusOr<std::vector<ir::Tensor>> inputs = RandomInputs(body, {}, random);
    EXPECT_OK(inputs.status());
    if (!runner.ok() || !inputs.ok()) continue;
    EXPECT_OK(runner->Check(*inputs, seed)) << "seed " << seed << "\n" << ir::PrintModel(body).value_or("");
    ++count;
  }
  return count;
}

TEST(TokenizedKernels, ComputeWhatTheirBodiesDo) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  int count = 0;
  for (uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    RandomGraphOptions options;
    options.ops = 25;
    options.divide = false;
    const std::unique_ptr<ir::Model> model = RandomGraph(random, options);
    ASSERT_OK(Tokenize(*model));
    count += CheckSubgraphs(*model, target, random, seed);
  }
  std::printf("%d Subgraphs\n", count);
  EXPECT_GT(count, 80);
}

// Returns the body for the shapes that the node reads in `model`.
std::unique_ptr<ir::Model> SizedFor(const ir::Model& model, const ir::Node& node, const ir::Model& body) {
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (int64_t i = 0; i < node.input_count(); ++i) shapes.emplace(i, model.info(node.input(i)).shape);
  std::unique_ptr<ir::Model> sized = body.Clone();
  EXPECT_OK(sized->Reshape(shapes));
  return sized;
}

// As CheckSubgraphs(), of kernels that were made for the declared shapes of `model`, for the sizes of `sized`.
int CheckDynamicSubgraphs(const ir::Model& model, const ir::Model& sized, const jit::Target& target,
                          std::mt19937_64& random, uint64_t seed) {
  int count = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    if (model.node(id).code() != ir::OpCode::kSubgraph) continue;
    const ir::Model& body = *model.node(id).bodies()[0];
    const std::string where = absl::StrCat("seed ", seed, "\n", ir::PrintModel(body).value_or(""));
    const absl::StatusOr<std::unique_ptr<ir::Model>> primitive = CheckBody(body);
    EXPECT_OK(primitive.status()) << where;
    const std::unique_ptr<ir::Model> sized_body = SizedFor(sized, sized.node(id), body);
    const absl::StatusOr<SubgraphRunner> runner = SubgraphRunner::Create(*sized_body, target);
    EXPECT_OK(runner.status()) << where;
    const absl::StatusOr<std::vector<ir::Tensor>> inputs = RandomInputs(*sized_body, {}, random);
    EXPECT_OK(inputs.status()) << where;
    if (!primitive.ok() || !runner.ok() || !inputs.ok()) continue;
    const std::unique_ptr<ir::Model> sized_primitive = SizedFor(sized, sized.node(id), **primitive);
    const absl::StatusOr<FusedKernel> kernel =
        FusedKernel::Create(SizedBody{**primitive, *sized_primitive}, target, FusedKernel::Options());
    EXPECT_OK(kernel.status()) << where;
    if (!kernel.ok()) continue;
    EXPECT_OK(runner->Check(*kernel, *inputs, seed)) << where;
    ++count;
  }
  return count;
}

TEST(TokenizedKernels, ComputeWhatTheirBodiesDoForAnySizes) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  int count = 0;
  for (uint64_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    RandomGraphOptions options;
    options.ops = 25;
    options.divide = false;
    options.dynamic = true;
    options.unknown = seed % 2 == 0;
    const std::unique_ptr<ir::Model> model = RandomGraph(random, options);
    ASSERT_OK(Tokenize(*model));
    for (int sample = 0; sample < 3; ++sample) {
      const std::unique_ptr<ir::Model> sized = WithSizes(*model, random);
      count += CheckDynamicSubgraphs(*model, *sized, target, random, seed);
    }
  }
  std::printf("%d kernels\n", count);
  EXPECT_GT(count, 150);
}

}  // namespace
}  // namespace burin::snippets

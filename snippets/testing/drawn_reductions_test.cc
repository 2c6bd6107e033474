#include "snippets/testing/drawn_reductions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/shape.h"
#include "ir/verifier.h"
#include "snippets/testing/body_draft.h"
#include "snippets/testing/random_inputs.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::IsSupersetOf;

// Returns the names of the operations that come of many draws, each of which is a valid body.
std::set<std::string> Drawn(const ir::Shape& space, void (*draw)(BodyDraft& draft)) {
  std::set<std::string> names;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    BodyDraft draft(space, {}, seed);
    draw(draft);
    std::vector<InputRange> ranges;
    const std::unique_ptr<ir::Model> body = draft.Finish(&ranges);
    EXPECT_OK(ir::Verify(*body)) << "seed " << seed;
    for (const ir::NodeId id : body->NodeIds()) names.insert(body->node(id).op().name);
  }
  return names;
}

TEST(DrawnReductionsTest, DrawsEveryReduction) {
  EXPECT_THAT(Drawn({2, 3, 4}, &DrawReduction),
              IsSupersetOf({"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
                            "ReduceLogicalAnd", "ReduceLogicalOr", "Unsqueeze"}));
}

TEST(DrawnReductionsTest, DrawsEveryComposite) {
  EXPECT_THAT(Drawn({2, 6, 4}, &DrawComposite),
              IsSupersetOf({"Softmax", "LogSoftmax", "MVN", "NormalizeL2", "BatchNormInference", "GroupNormalization",
                            "PRelu", "Swish", "HardSigmoid", "Selu", "ConvertLike", "Broadcast"}));
}

TEST(DrawnReductionsTest, ASpaceWithoutDimensionsOrElementsIsFine) {
  Drawn({}, &DrawReduction);
  Drawn({}, &DrawComposite);
  Drawn({3, 0}, &DrawReduction);
  Drawn({3, 0}, &DrawComposite);
}

}  // namespace
}  // namespace burin::snippets

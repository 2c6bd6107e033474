#include "transformations/fuzz/growers/growers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

TEST(GrowersTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const Grower& grower : AllGrowers()) EXPECT_TRUE(names.insert(grower.name).second) << grower.name;
}

TEST(GrowersTest, EachMostlyAddsWhatRuns) {
  for (const GraphStyle& style : {GraphStyle(), GraphStyle{ElementType::kF64, 1e4}}) {
    for (const Grower& grower : AllGrowers()) {
      SCOPED_TRACE(grower.name);
      int computing = 0;
      for (uint64_t seed = 1; seed <= 100; ++seed) {
        std::mt19937_64 random(seed);
        GrowingGraph graph(random, AllGrowers(), style);
        grower.grow(graph);
        bool computes = false;
        for (const ir::NodeId id : graph.model().NodeIds()) computes |= graph.model().node(id).input_count() > 0;
        computing += computes ? 1 : 0;
        ASSERT_OK(ir::Verify(graph.model())) << "seed " << seed;
      }
      EXPECT_GE(computing, 25);
    }
  }
}

}  // namespace
}  // namespace burin::transformations

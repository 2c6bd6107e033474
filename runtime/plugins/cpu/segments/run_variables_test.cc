#include "runtime/plugins/cpu/segments/run_variables.h"

#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"

namespace burin::cpu {
namespace {

TEST(RunVariablesTest, WhatIsAssignedShowsOnceCommitted) {
  ir::MapVariableStore store;
  store.Assign("a", ir::F32({1}, {1}));
  RunVariables run(&store);
  run.Assign("a", ir::F32({1}, {2}));
  run.Assign("a", ir::F32({1}, {3}));
  run.Assign("b", ir::F32({1}, {4}));
  ir::ExpectTensorEq(*run.Find("a"), ir::F32({1}, {1}));
  EXPECT_EQ(run.Find("b"), nullptr);
  run.Commit();
  ir::ExpectTensorEq(*store.Find("a"), ir::F32({1}, {3}));
  ir::ExpectTensorEq(*store.Find("b"), ir::F32({1}, {4}));
}

TEST(RunVariablesTest, WhatIsNotCommittedIsForgotten) {
  ir::MapVariableStore store;
  { RunVariables(&store).Assign("a", ir::F32({1}, {2})); }
  EXPECT_EQ(store.Find("a"), nullptr);
}

}  // namespace
}  // namespace burin::cpu

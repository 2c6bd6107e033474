#include "transformations/cleanup/integer_list.h"

#include <gtest/gtest.h>

#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

TEST(IntegerListTest, HoldsTheElements) {
  ASSERT_OK_AND_ASSIGN(const ir::Tensor list, IntegerList({3, -1, int64_t{1} << 40}));
  ir::ExpectTensorEq(list, ir::I64({3}, {3, -1, int64_t{1} << 40}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor empty, IntegerList({}));
  ir::ExpectTensorEq(empty, ir::I64({0}, {}));
}

}  // namespace
}  // namespace burin::transformations

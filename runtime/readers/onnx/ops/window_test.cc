#include "runtime/readers/onnx/ops/window.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

TEST(WindowTest, SamePadding) {
  // The odd element of the padding is at the end (upper) or at the beginning (lower).
  const ir::Tensor x = F32({1, 1, 3}, {1, 2, 4});
  const ir::Tensor w = F32({1, 1, 2}, {1, 1});
  const auto pad = [](const char* name) {
    return [name](::onnx::NodeProto& node) { SetString(node, "auto_pad", name); };
  };
  ExpectComputes(SingleNode("Conv").Inputs({x, w}).With(pad("SAME_UPPER")), {F32({1, 1, 3}, {3, 6, 4})});
  ExpectComputes(SingleNode("Conv").Inputs({x, w}).With(pad("SAME_LOWER")), {F32({1, 1, 3}, {1, 3, 6})});
  ExpectComputes(SingleNode("Conv").Inputs({x, w}).With(pad("VALID")), {F32({1, 1, 2}, {3, 6})});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Conv").Inputs({x, w}).With(pad("SOME")))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(WindowTest, RefusesContradictions) {
  const ir::Tensor x = F32({1, 1, 3}, {1, 2, 4});
  const ir::Tensor w = F32({1, 1, 2}, {1, 1});
  for (const auto& [name, values] : std::vector<std::pair<std::string, std::vector<int64_t>>>{
           {"kernel_shape", {3}}, {"kernel_shape", {2, 2}}, {"pads", {1}}, {"strides", {1, 1}}, {"strides", {0}}}) {
    const auto set = [name = name, values = values](::onnx::NodeProto& node) { SetInts(node, name, values); };
    EXPECT_THAT(ReadBytes(FileOf(SingleNode("Conv").Inputs({x, w}).With(set))),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << name;
  }
}

}  // namespace
}  // namespace burin::onnx

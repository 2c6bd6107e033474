#include "runtime/readers/onnx/unsupported.h"

#include "absl/strings/str_cat.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(UnsupportedTest, ListsEachOperatorOnce) {
  UnsupportedList list;
  EXPECT_OK(list.ToStatus());
  for (int i = 0; i < 7; ++i) list.Add("Foo", "", 17, "", absl::StrCat("foo", i));
  list.Add("Bar", "com.example", 1, "mode x", "bar");
  const absl::Status status = list.ToStatus();
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("Foo (domain ai.onnx, opset 17): 7 nodes: foo0, foo1, foo2, foo3, foo4, ...")));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnimplemented,
                               HasSubstr("Bar (domain com.example, opset 1): mode x: 1 node: bar")));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("foo5")));
  EXPECT_EQ(list.count(), 8);
}

TEST(UnsupportedTest, StaysReadable) {
  UnsupportedList list;
  for (int i = 0; i < 10000; ++i) list.Add(absl::StrCat("Op", i), "", 17, "", "node");
  const absl::Status status = list.ToStatus();
  EXPECT_LT(status.message().size(), 20000u);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("9900 more nodes")));
}

}  // namespace
}  // namespace burin::onnx

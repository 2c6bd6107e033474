#include "base/status_context.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

TEST(StatusContextTest, PrefixesTheMessageAndKeepsTheCode) {
  EXPECT_THAT(WithContext(absl::UnimplementedError("no bf16"), "node Add_1"),
              StatusIs(absl::StatusCode::kUnimplemented, "node Add_1: no bf16"));
}

TEST(StatusContextTest, UsesThePrefixAloneForAnEmptyMessage) {
  EXPECT_THAT(WithContext(absl::InternalError(""), "pass"), StatusIs(absl::StatusCode::kInternal, "pass"));
}

TEST(StatusContextTest, LeavesOkAlone) { EXPECT_OK(WithContext(absl::OkStatus(), "pass")); }

TEST(StatusContextTest, KeepsPayloads) {
  absl::Status status = absl::DataLossError("crc");
  status.SetPayload("burin/offset", absl::Cord("12"));
  status.SetPayload("burin/file", absl::Cord("blob"));
  const absl::Status wrapped = WithContext(status, "cache");
  EXPECT_EQ(wrapped.GetPayload("burin/offset"), absl::Cord("12"));
  EXPECT_EQ(wrapped.GetPayload("burin/file"), absl::Cord("blob"));
}

}  // namespace
}  // namespace burin

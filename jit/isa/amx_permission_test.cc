#include "jit/isa/amx_permission.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

TEST(AmxPermissionTest, EachErrorHasItsCode) {
  EXPECT_OK(AmxPermissionStatus(0));
  EXPECT_THAT(AmxPermissionStatus(EINVAL), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("AMX")));
  EXPECT_THAT(AmxPermissionStatus(EOPNOTSUPP), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(AmxPermissionStatus(ENOSYS), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(AmxPermissionStatus(ENOSPC), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("signal stack")));
  EXPECT_THAT(AmxPermissionStatus(EPERM), StatusIs(absl::StatusCode::kPermissionDenied));
}

TEST(AmxPermissionTest, AMachineWithoutTilesRefusesEachTimeAlike) {
  if (CpuInfo::Host().isa.Has(IsaFeature::kAmxTile)) GTEST_SKIP() << "this machine has AMX";
  const absl::Status first = RequestAmxPermission();
  EXPECT_FALSE(first.ok());
  EXPECT_EQ(RequestAmxPermission(), first);
}

TEST(AmxPermissionTest, AMachineWithTilesGrantsThem) {
  if (!CpuInfo::Host().isa.Has(IsaFeature::kAmxTile)) GTEST_SKIP() << "this machine has no AMX";
  EXPECT_OK(RequestAmxPermission());
}

}  // namespace
}  // namespace burin::jit

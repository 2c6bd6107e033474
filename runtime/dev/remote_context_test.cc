#include "runtime/dev/remote_context.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

TEST(RemoteContextTest, HostTensorIsAlignedWritableMemory) {
  HostContext context("DEVICE");
  EXPECT_EQ(context.device_name(), "DEVICE");
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, context.CreateHostTensor(ElementType::kF32, {3, 5}));
  EXPECT_EQ(tensor.shape(), (ir::Shape{3, 5}));
  EXPECT_EQ(tensor.element_type(), ElementType::kF32);
  EXPECT_TRUE(tensor.is_dense());
  ASSERT_FALSE(tensor.read_only());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 64, 0u);
}

TEST(RemoteContextTest, HostTensorRefusesABadShape) {
  HostContext context("DEVICE");
  EXPECT_THAT(context.CreateHostTensor(ElementType::kF32, {-1}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(RemoteContextTest, DeviceMemoryIsUnimplementedNamingTheDevice) {
  HostContext context("DEVICE");
  EXPECT_THAT(context.CreateTensor(ElementType::kF32, {1}, {}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("DEVICE")));
}

TEST(RemoteContextTest, ACompiledModelCanKeepTheContextItWasGiven) {
  std::shared_ptr<IRemoteContext> context = std::make_shared<HostContext>("DEVICE");
  IRemoteContext& given = *context;  // As CompileModelWithContext has it.
  EXPECT_EQ(given.shared_from_this(), context);
}

}  // namespace
}  // namespace burin

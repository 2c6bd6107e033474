#include "burin/remote_context.h"

#include <memory>

#include "absl/status/status.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/remote_context.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

// A device with memory of its own, which is as good as any other here.
class OwnMemory final : public IRemoteContext {
 public:
  using IRemoteContext::IRemoteContext;
  absl::StatusOr<ir::Tensor> CreateTensor(ElementType type, const ir::Shape& shape,
                                          const PropertyMap& properties) override {
    if (properties.count("BANK") == 0) return absl::InvalidArgumentError("BANK is missing");
    return ir::Tensor::CreateZeroed(type, shape);
  }
};

TEST(RemoteContextTest, AsksTheDevicesContext) {
  const RemoteContext context(std::make_shared<OwnMemory>("DEVICE"));
  const RemoteContext same = context;
  EXPECT_EQ(same.device_name(), "DEVICE");
  EXPECT_EQ(&same.context(), &context.context());
  ASSERT_OK_AND_ASSIGN(const Tensor own, context.CreateTensor(ElementType::kI8, {2}, {{"BANK", "1"}}));
  EXPECT_EQ(own.shape(), (Shape{2}));
  EXPECT_THAT(context.CreateTensor(ElementType::kI8, {2}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("BANK")));
  ASSERT_OK_AND_ASSIGN(const Tensor host, context.CreateHostTensor(ElementType::kF16, {3}));
  EXPECT_EQ(host.element_type(), ElementType::kF16);
}

TEST(RemoteContextTest, HostContextsHaveHostTensorsOnly) {
  const RemoteContext context(std::make_shared<HostContext>("DEVICE"));
  EXPECT_OK(context.CreateHostTensor(ElementType::kF32, {2, 2}));
  EXPECT_THAT(context.CreateTensor(ElementType::kF32, {2, 2}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("DEVICE")));
}

}  // namespace
}  // namespace burin

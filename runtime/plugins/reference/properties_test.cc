// Walks the property table: what it says of the REFERENCE device is what a plugin and a compiled model do.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/plugin.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// y = x + x, with x: type[2].
ir::Model Doubling(ElementType type) {
  ir::Model model("doubling");
  const ir::Value x = model.AddParameter("x", type, ir::PartialShape({2})).value();
  EXPECT_OK(model.AddResult(model.Add(ir::AddOp(), {x, x}, nullptr, "sum").value(), "y"));
  return model;
}

class ReferencePropertiesTest : public ::testing::Test {
 protected:
  std::shared_ptr<ICompiledModel> Compile(const PropertyMap& properties = {}) {
    absl::StatusOr<std::shared_ptr<ICompiledModel>> compiled =
        plugin_->CompileModel(Doubling(ElementType::kF32), properties);
    EXPECT_OK(compiled);
    return *std::move(compiled);
  }

  std::unique_ptr<Plugin> plugin_ = CreatePlugin("REFERENCE").value();
};

bool SeenFromDevice(const PropertyInfo& row) {
  return row.scope == PropertyScope::kConfig || row.scope == PropertyScope::kDevice ||
         row.scope == PropertyScope::kDeviceAndModel;
}

bool SeenFromModel(const PropertyInfo& row) {
  return row.scope == PropertyScope::kConfig || row.scope == PropertyScope::kModel ||
         row.scope == PropertyScope::kDeviceAndModel;
}

// A row that the device reads can be read where its scope says, and nowhere else; any other cannot be read at all.
TEST_F(ReferencePropertiesTest, EveryRowCanBeReadWhereItsScopeSays) {
  const std::shared_ptr<ICompiledModel> compiled = Compile();
  for (const PropertyInfo& row : AllProperties()) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<std::string> device = plugin_->GetProperty(row.name);
    const absl::StatusOr<std::string> model = compiled->GetProperty(row.name);
    const bool read = row.ReadBy("REFERENCE");
    for (const auto& [answer, seen] : {std::pair(device, SeenFromDevice(row)), std::pair(model, SeenFromModel(row))}) {
      if (read && seen) {
        ASSERT_OK(answer);
        EXPECT_OK(row.check(row.name, *answer));
        EXPECT_EQ(row.canonical(*answer), *answer);
        if (row.settable()) {
          EXPECT_EQ(*answer, row.default_value);
        }
      } else {
        EXPECT_THAT(answer, StatusIs(absl::StatusCode::kNotFound,
                                     AllOf(HasSubstr(absl::StrCat("no property ", row.name, " that can be read")),
                                           HasSubstr("PERF_COUNT"))));
      }
    }
  }
}

TEST_F(ReferencePropertiesTest, SupportedPropertiesListsExactlyTheReadableOnes) {
  const std::shared_ptr<ICompiledModel> compiled = Compile();
  std::vector<std::string> device;
  std::vector<std::string> model;
  for (const PropertyInfo& row : PropertiesReadBy("REFERENCE")) {
    if (SeenFromDevice(row)) device.push_back(absl::StrCat(row.name, row.settable() ? ":RW" : ":RO"));
    if (SeenFromModel(row)) model.push_back(absl::StrCat(row.name, ":RO"));
  }
  EXPECT_THAT(supported_properties.Parse(plugin_->GetProperty("SUPPORTED_PROPERTIES").value()).value(),
              ElementsAreArray(device));
  EXPECT_THAT(supported_properties.Parse(compiled->GetProperty("SUPPORTED_PROPERTIES").value()).value(),
              ElementsAreArray(model));
}

// Another value than the default, for each property that can be set, and what shows that it took effect.
struct Effect {
  std::string value;
  // Sees a compiled model with the default value, and one with `value`.
  std::function<void(ICompiledModel& with_default, ICompiledModel& with_value)> show;
};

absl::Status ProfilingStatus(ICompiledModel& compiled) {
  std::unique_ptr<AsyncInferRequest> request = compiled.CreateInferRequest().value();
  EXPECT_OK(request->SetTensor({Slot::Kind::kInput, 0}, ir::F32({2}, {1, 2})));
  EXPECT_OK(request->Infer());
  return request->GetProfilingInfo().status();
}

const std::map<std::string, Effect>& Effects() {
  static const auto* const effects = new std::map<std::string, Effect>{
      // The other effect is ConfigTest.ThereIsOneInstance: any other instance is refused.
      {"DEVICE_ID",
       {"0",
        [](ICompiledModel& with_default, ICompiledModel& with_value) {
          EXPECT_THAT(with_default.GetProperty("DEVICE_ID"), IsOkAndHolds(""));
          EXPECT_THAT(with_value.GetProperty("DEVICE_ID"), IsOkAndHolds("0"));
        }}},
      {"PERF_COUNT",
       {"YES",
        [](ICompiledModel& with_default, ICompiledModel& with_value) {
          EXPECT_THAT(ProfilingStatus(with_default), StatusIs(absl::StatusCode::kFailedPrecondition));
          EXPECT_OK(ProfilingStatus(with_value));
        }}},
  };
  return *effects;
}

TEST_F(ReferencePropertiesTest, WhatCanBeSetHasAnEffectAndIsReadBack) {
  for (const PropertyInfo& row : PropertiesReadBy("REFERENCE")) {
    if (!row.settable()) continue;
    SCOPED_TRACE(row.name);
    const auto effect = Effects().find(row.name);
    ASSERT_NE(effect, Effects().end()) << "nothing shows that this property is not ignored";
    const std::string& value = effect->second.value;
    ASSERT_NE(value, row.default_value);

    // For one compilation: the device keeps its default.
    const std::shared_ptr<ICompiledModel> with_default = Compile();
    const std::shared_ptr<ICompiledModel> with_value = Compile({{row.name, value}});
    EXPECT_THAT(with_value->GetProperty(row.name), IsOkAndHolds(value));
    EXPECT_THAT(plugin_->GetProperty(row.name), IsOkAndHolds(row.default_value));
    effect->second.show(*with_default, *with_value);

    // As the device's default: for later compilations, not for earlier ones.
    ASSERT_OK(plugin_->SetProperties({{row.name, value}}));
    EXPECT_THAT(plugin_->GetProperty(row.name), IsOkAndHolds(value));
    EXPECT_THAT(with_default->GetProperty(row.name), IsOkAndHolds(row.default_value));
    effect->second.show(*with_default, *Compile());
    // What a compilation says wins over the device's default.
    EXPECT_THAT(Compile({{row.name, row.default_value}})->GetProperty(row.name), IsOkAndHolds(row.default_value));
    ASSERT_OK(plugin_->SetProperties({{row.name, row.default_value}}));
  }
}

TEST_F(ReferencePropertiesTest, WhatCannotBeSetIsRefusedWithAList) {
  const std::shared_ptr<ICompiledModel> compiled = Compile();
  std::vector<std::string> names = {"", "NUM_STREAMS", "perf_count"};
  for (const PropertyInfo& row : AllProperties()) {
    if (!row.ReadBy("REFERENCE") || !row.settable()) names.emplace_back(row.name);
    EXPECT_FALSE(compiled->SetProperty(row.name, row.default_value).ok()) << row.name << ": all is fixed by then";
  }
  for (const std::string& name : names) {
    const std::string message =
        absl::StrCat("Device REFERENCE has no property ", name, " that can be set; there are: DEVICE_ID, PERF_COUNT");
    const PropertyMap properties = {{name, "1"}};
    EXPECT_THAT(plugin_->SetProperties(properties), StatusIs(absl::StatusCode::kNotFound, message));
    EXPECT_THAT(plugin_->CompileModel(Doubling(ElementType::kF32), properties),
                StatusIs(absl::StatusCode::kNotFound, message));
    EXPECT_THAT(plugin_->QueryModel(Doubling(ElementType::kF32), properties),
                StatusIs(absl::StatusCode::kNotFound, message));
  }
}

TEST_F(ReferencePropertiesTest, ABadValueIsRefusedEverywhere) {
  for (const PropertyInfo& row : PropertiesReadBy("REFERENCE")) {
    if (!row.settable()) continue;
    const PropertyMap properties = {{row.name, "neither"}};
    const std::string message = absl::StrCat("Property ", row.name, ": expected ");
    EXPECT_THAT(plugin_->SetProperties(properties), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)));
    EXPECT_THAT(plugin_->CompileModel(Doubling(ElementType::kF32), properties),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)));
    EXPECT_THAT(plugin_->GetProperty(row.name), IsOkAndHolds(row.default_value));
  }
}

TEST_F(ReferencePropertiesTest, RunsEveryPrecisionThatItNames) {
  const std::map<std::string, ElementType> types = {{"FP64", ElementType::kF64},
                                                    {"FP32", ElementType::kF32},
                                                    {"FP16", ElementType::kF16},
                                                    {"BF16", ElementType::kBf16},
                                                    {"INT8", ElementType::kI8}};
  const std::string text = plugin_->GetProperty("OPTIMIZATION_CAPABILITIES").value();
  const std::vector<std::string> named = optimization_capabilities.Parse(text).value();
  EXPECT_EQ(named.size(), types.size());
  for (const std::string& precision : named) {
    SCOPED_TRACE(precision);
    const ElementType type = types.at(precision);
    ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, plugin_->CompileModel(Doubling(type), {}));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
    const bool integer = type == ElementType::kI8;
    ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 0},
                                 integer ? ir::I8({2}, {3, -4}) : ir::FloatTensor(type, {2}, {3, -4})));
    ASSERT_OK(request->Infer());
    ASSERT_OK_AND_ASSIGN(const ir::Tensor result, request->GetTensor({Slot::Kind::kOutput, 0}));
    ir::ExpectTensorEq(result, integer ? ir::I8({2}, {6, -8}) : ir::FloatTensor(type, {2}, {6, -8}));
  }
}

}  // namespace
}  // namespace burin::reference

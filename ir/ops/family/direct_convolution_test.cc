#include "ir/ops/family/direct_convolution.h"

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::StartsWith;
using Numbers = std::vector<int64_t>;

WindowParameters Window(Numbers strides, Numbers pads_begin = {}, Numbers pads_end = {}, Numbers dilations = {},
                        AutoPad auto_pad = AutoPad::kExplicit) {
  return {std::move(strides), std::move(pads_begin), std::move(pads_end), std::move(dilations), auto_pad};
}

// One of the two kinds with its attributes; `op` in labels is "Op".
struct Convolution {
  bool transposed = false;
  Grouping grouping = Grouping::kNone;
  WindowParameters window;
  Numbers output_padding;

  absl::StatusOr<PartialShape> Infer(const std::vector<ValueInfo>& infos) const {
    std::vector<const ValueInfo*> inputs;
    for (const ValueInfo& info : infos) inputs.push_back(&info);
    const NoAttributes attributes;
    InferContext context(attributes, inputs, 1);
    BURIN_RETURN_IF_ERROR(transposed ? InferTransposedConvolution(context, "Op", grouping, window, output_padding)
                                     : InferConvolution(context, "Op", grouping, window));
    EXPECT_EQ(context.output(0).type, infos[0].type);
    return context.output(0).shape;
  }

  absl::StatusOr<PartialShape> Infer(const PartialShape& data, const PartialShape& filters) const {
    return Infer({Known(ElementType::kF32, data), Known(ElementType::kF32, filters)});
  }

  // Writes to `output`.
  absl::Status Run(const std::vector<Tensor>& inputs, const Tensor& output, bool cancelled = false) const {
    const NoAttributes attributes;
    HeapScratchAllocator scratch;
    const std::atomic<bool> flag(cancelled);
    ReferenceContext::Environment environment;
    environment.scratch = &scratch;
    environment.cancelled = &flag;
    std::vector<Tensor> outputs = {output};
    const std::vector<ElementType> types = {output.element_type()};
    ReferenceContext context(attributes, inputs, absl::MakeSpan(outputs), types, environment);
    return transposed ? ReferenceTransposedConvolution(context, grouping, window, output_padding)
                      : ReferenceConvolution(context, grouping, window);
  }

  // Expects that both inference and evaluation give `values` of shape `shape`.
  void Expect(const std::vector<Tensor>& inputs, const Shape& shape, const std::vector<double>& values) const {
    std::vector<ValueInfo> infos;
    for (const Tensor& input : inputs) infos.push_back(Constant(input));
    EXPECT_THAT(Infer(infos), IsOkAndHolds(PartialShape(shape)));
    // What is there before does not matter.
    const Tensor output = F32(shape, std::vector<double>(values.size(), -99));
    EXPECT_OK(Run(inputs, output));
    ExpectTensorEq(output, F32(shape, values));
  }
};

Convolution Plain(WindowParameters window = {}, Grouping grouping = Grouping::kNone) {
  return {false, grouping, std::move(window), {}};
}

Convolution Transposed(WindowParameters window = {}, Numbers output_padding = {}, Grouping grouping = Grouping::kNone) {
  return {true, grouping, std::move(window), std::move(output_padding)};
}

TEST(DirectConvolutionTest, LeavesTheTailThatNoWindowReaches) {
  const Tensor row = F32({1, 1, 6}, {1, 2, 3, 4, 5, 6});
  const Tensor filter = F32({1, 1, 2}, {1, 10});
  Plain(Window({3})).Expect({row, filter}, {1, 1, 2}, {21, 54});
  Plain(Window({4})).Expect({row, filter}, {1, 1, 2}, {21, 65});
}

TEST(DirectConvolutionTest, PadsEachEnd) {
  const Tensor filter = F32({1, 1, 3}, {1, 10, 100});
  Plain(Window({}, {2}, {1})).Expect({F32({1, 1, 3}, {1, 2, 3}), filter}, {1, 1, 4}, {100, 210, 321, 32});
  // Windows in the padding alone.
  Plain(Window({}, {3}, {3})).Expect({F32({1, 1, 1}, {7}), filter}, {1, 1, 5}, {0, 700, 70, 7, 0});
}

TEST(DirectConvolutionTest, SpreadsTheTaps) {
  Plain(Window({}, {2}, {2}, {2}))
      .Expect({F32({1, 1, 5}, {1, 2, 3, 4, 5}), F32({1, 1, 3}, {1, 10, 100})}, {1, 1, 5}, {310, 420, 531, 42, 53});
  // Another stride and dilation along each axis.
  Plain(Window({1, 2}, {}, {}, {2, 1}))
      .Expect({F32({1, 1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), F32({1, 1, 2, 2}, {1, 10, 100, 1000})},
              {1, 1, 1, 2}, {10921, 13143});
  Plain(Window({}, {}, {}, {2, 1, 1}))
      .Expect({F32({1, 1, 4, 1, 1}, {1, 2, 3, 4}), F32({1, 1, 2, 1, 1}, {1, 10})}, {1, 1, 2, 1, 1}, {31, 42});
}

TEST(DirectConvolutionTest, SumsWithinGroups) {
  Plain({}, Grouping::kGroups)
      .Expect({F32({2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), F32({2, 1, 2, 1}, {1, 10, 100, 1000})}, {2, 2, 1},
              {21, 4300, 65, 8700});
  Plain({}, Grouping::kGroups)
      .Expect({F32({1, 2, 1, 1, 2}, {1, 2, 3, 4}), F32({2, 1, 1, 1, 1, 2}, {1, 10, 1, 100})}, {1, 2, 1, 1, 1},
              {21, 403});
}

TEST(DirectConvolutionTest, WeighsChannelsPositionByPosition) {
  const Tensor data = F32({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor filter = F32({1, 2, 1, 1}, {1, 10});
  Plain().Expect({data, filter}, {1, 1, 2, 2}, {51, 62, 73, 84});
  Plain(Window({2, 2})).Expect({data, filter}, {1, 1, 1, 1}, {51});
  Plain(Window({}, {0, 1}, {0, 0})).Expect({data, filter}, {1, 1, 2, 3}, {0, 51, 62, 0, 73, 84});
}

TEST(DirectConvolutionTest, TransposedAddsWhereWindowsOverlap) {
  const std::vector<Tensor> inputs = {F32({1, 1, 2}, {1, 2}), F32({1, 1, 3}, {1, 10, 100})};
  Transposed(Window({2})).Expect(inputs, {1, 1, 5}, {1, 10, 102, 20, 200});
  Transposed(Window({2}, {1}, {1})).Expect(inputs, {1, 1, 3}, {10, 102, 20});
  Transposed(Window({2}, {0}, {2})).Expect(inputs, {1, 1, 3}, {1, 10, 102});
  Transposed(Window({2}), {1}).Expect(inputs, {1, 1, 6}, {1, 10, 102, 20, 200, 0});
  Transposed(Window({}, {}, {}, {2})).Expect(inputs, {1, 1, 6}, {1, 2, 10, 20, 100, 200});
  // A stride above the kernel leaves gaps.
  Transposed(Window({3})).Expect({inputs[0], F32({1, 1, 1}, {5})}, {1, 1, 4}, {5, 0, 0, 10});
}

TEST(DirectConvolutionTest, TransposedSumsOverChannelsOrWithinGroups) {
  const Tensor data = F32({1, 2, 1}, {3, 4});
  Transposed().Expect({data, F32({2, 2, 1}, {1, 10, 100, 1000})}, {1, 2, 1}, {403, 4030});
  Transposed({}, {}, Grouping::kGroups)
      .Expect({data, F32({2, 1, 2, 1}, {1, 10, 100, 1000})}, {1, 4, 1}, {3, 30, 400, 4000});
}

TEST(DirectConvolutionTest, TransposedPadsForTheSizesAskedFor) {
  const Tensor row = F32({1, 1, 2}, {1, 2});
  const Tensor filter = F32({1, 1, 3}, {1, 10, 100});
  // The windows reach 5 elements: 1 10 102 20 200.
  Transposed(Window({2})).Expect({row, filter, I64({1}, {4})}, {1, 1, 4}, {1, 10, 102, 20});
  Transposed(Window({2}, {}, {}, {}, AutoPad::kSameUpper))
      .Expect({row, filter, I64({1}, {4})}, {1, 1, 4}, {10, 102, 20, 200});
  Transposed(Window({2})).Expect({row, filter, I64({1}, {7})}, {1, 1, 7}, {1, 10, 102, 20, 200, 0, 0});
  Transposed(Window({2})).Expect({row, filter, I64({1}, {0})}, {1, 1, 0}, {});
}

TEST(DirectConvolutionTest, TransposedKeepsRowsApartInALargerOutput) {
  const Tensor data = F32({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor filter = F32({1, 1, 1, 1}, {10});
  Transposed().Expect({data, filter}, {1, 1, 2, 2}, {10, 20, 30, 40});
  Transposed().Expect({data, filter, I64({2}, {2, 3})}, {1, 1, 2, 3}, {10, 20, 0, 30, 40, 0});
  Transposed({}, {1, 1}).Expect({data, filter}, {1, 1, 3, 3}, {10, 20, 0, 30, 40, 0, 0, 0, 0});
}

TEST(DirectConvolutionTest, HandlesEmptyTensors) {
  const Tensor filter = F32({1, 1, 2}, {1, 1});
  Plain().Expect({F32({0, 1, 3}, {}), filter}, {0, 1, 2}, {});
  Plain().Expect({F32({1, 0, 3}, {}), F32({2, 0, 2}, {})}, {1, 2, 2}, {0, 0, 0, 0});
  Plain().Expect({F32({1, 1, 3}, {1, 2, 3}), F32({0, 1, 2}, {})}, {1, 0, 2}, {});
  Plain(Window({}, {1}, {1})).Expect({F32({1, 1, 0}, {}), filter}, {1, 1, 1}, {0});
  Transposed().Expect({F32({0, 1, 3}, {}), filter}, {0, 1, 4}, {});
  Transposed().Expect({F32({1, 0, 2}, {}), F32({0, 2, 1}, {})}, {1, 2, 2}, {0, 0, 0, 0});
  Transposed().Expect({F32({1, 1, 0}, {}), filter, I64({1}, {3})}, {1, 1, 3}, {0, 0, 0});
}

TEST(DirectConvolutionTest, StopsWhenCancelled) {
  const std::vector<Tensor> inputs = {F32({1, 1, 1}, {1}), F32({1, 1, 1}, {1})};
  for (const Convolution& convolution : {Plain(), Transposed()}) {
    EXPECT_THAT(convolution.Run(inputs, F32({1, 1, 1}, {0}), /*cancelled=*/true),
                StatusIs(absl::StatusCode::kCancelled));
  }
}

TEST(DirectConvolutionTest, InfersFromWhatIsKnown) {
  const PartialShape unknown = PartialShape::DynamicRank();
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension width = Dimension::Symbol("width");
  const WindowParameters same = Window({}, {1}, {1});
  EXPECT_THAT(Plain(same).Infer({batch, 3, width}, {8, 3, 3}), IsOkAndHolds(PartialShape({batch, 8, width})));
  EXPECT_THAT(Plain(same).Infer(unknown, {8, 3, 3}), IsOkAndHolds(PartialShape({Dimension(), 8, Dimension()})));
  EXPECT_THAT(Plain(same, Grouping::kGroups).Infer({batch, 6, 5}, {2, 4, 3, 3}),
              IsOkAndHolds(PartialShape({batch, 8, 5})));
  EXPECT_THAT(Plain().Infer({batch, 3, Dimension(4, 9)}, {8, 3, 2}),
              IsOkAndHolds(PartialShape({batch, 8, Dimension(3, 8)})));
  EXPECT_THAT(Plain().Infer(unknown, unknown), IsOkAndHolds(unknown));
  ASSERT_OK_AND_ASSIGN(const PartialShape from_attributes, Plain(same).Infer(unknown, unknown));
  EXPECT_EQ(from_attributes.rank(), 3);
  EXPECT_THAT(Transposed(same).Infer({batch, 3, width}, {3, 8, 3}), IsOkAndHolds(PartialShape({batch, 8, width})));
  EXPECT_THAT(Transposed(Window({2})).Infer({batch, 3, Dimension(4, 9)}, {3, 8, 2}),
              IsOkAndHolds(PartialShape({batch, 8, Dimension(8, 18)})));
  EXPECT_THAT(Transposed().Infer({Known(ElementType::kF32, {batch, 3, 7}), Known(ElementType::kF32, {3, 8, 2}),
                                  Partial({Dimension(5, 6)})}),
              IsOkAndHolds(PartialShape({batch, 8, Dimension(5, 6)})));
}

void ExpectRefused(const absl::StatusOr<PartialShape>& shape, const char* label) {
  EXPECT_THAT(shape, StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(label)));
}

TEST(DirectConvolutionTest, RefusesWhatBreaksConstraintsOfBoth) {
  const PartialShape data({1, 2, 4});
  const PartialShape filters({2, 2, 3});
  const PartialShape unknown = PartialShape::DynamicRank();
  for (const bool transposed : {false, true}) {
    SCOPED_TRACE(transposed);
    const auto with = [&](WindowParameters window, Grouping grouping = Grouping::kNone) {
      return Convolution{transposed, grouping, std::move(window), {}};
    };
    EXPECT_OK(with({}).Infer(data, filters));
    ExpectRefused(with({}).Infer({Known(ElementType::kF32, data), Known(ElementType::kF16, filters)}), "Op_c1");
    ExpectRefused(with({}).Infer({Known(ElementType::kBoolean, data), Known(ElementType::kBoolean, filters)}), "Op_c1");
    ExpectRefused(with({}).Infer({1, 2}, filters), "Op_c2");
    ExpectRefused(with({}).Infer({1, 2, 1, 1, 1, 1}, unknown), "Op_c2");
    ExpectRefused(with({}).Infer(data, {2, 2, 3, 3}), "Op_c2");
    ExpectRefused(with({}, Grouping::kGroups).Infer(data, filters), "Op_c2");
    ExpectRefused(with(Window({1, 1})).Infer(data, filters), "Op_c3");
    ExpectRefused(with(Window({0})).Infer(data, filters), "Op_c3");
    ExpectRefused(with(Window({}, {}, {-1})).Infer(data, filters), "Op_c3");
    ExpectRefused(with(Window({}, {}, {}, {INT64_MAX})).Infer(data, filters), "Op_c3");
    ExpectRefused(with(Window({1, 1, 1, 1})).Infer(unknown, unknown), "Op_c3");
    ExpectRefused(with({}).Infer({1, 3, 4}, filters), "Op_c4");
    ExpectRefused(with({}, Grouping::kGroups).Infer(data, {2, 2, 2, 3}), "Op_c4");
    ExpectRefused(with({}, Grouping::kGroups).Infer({1, 0, 4}, {0, 2, 2, 3}), "Op_c4");
    ExpectRefused(with({}).Infer(data, {2, 2, 0}), "Op_c5");
  }
  ExpectRefused(Plain().Infer(data, {2, 2, 5}), "Op_c5");
}

TEST(DirectConvolutionTest, RefusesWhatBreaksConstraintsOfTransposed) {
  const ValueInfo data = Known(ElementType::kF32, PartialShape({1, 1, 2}));
  const ValueInfo filters = Known(ElementType::kF32, PartialShape({1, 1, 3}));
  ExpectRefused(Transposed(Window({}, {2}, {2})).Infer({data, filters}), "Op_c5");
  ExpectRefused(Transposed().Infer({data, filters, Constant(I64({1}, {-1}))}), "Op_c6");
  ExpectRefused(Transposed().Infer({data, filters, Constant(I64({2}, {4, 4}))}), "Op_c6");
  ExpectRefused(Transposed().Infer({data, filters, Constant(F32({1}, {4}))}), "Op_c6");
  ExpectRefused(Transposed({}, {1, 1}).Infer({data, filters}), "Op_c7");
  ExpectRefused(Transposed({}, {-1}).Infer({data, filters}), "Op_c7");
  ExpectRefused(Transposed({}, {kMaxWindowParameter + 1}).Infer({data, filters}), "Op_c7");
}

// Returns the flops for inputs and an output of these shapes.
double Flops(Cost (*cost)(const CostContext&), const Shape& data, const Shape& filters, const Shape& output) {
  const ValueInfo infos[] = {Known(ElementType::kF32, data), Known(ElementType::kF32, filters)};
  const ValueInfo* const inputs[] = {&infos[0], &infos[1]};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, output)};
  const NoAttributes attributes;
  return cost(CostContext(attributes, inputs, outputs)).flops;
}

TEST(DirectConvolutionTest, CostsTwoFlopsPerTap) {
  EXPECT_EQ(Flops(&ConvolutionCost, {2, 3, 8}, {4, 3, 3}, {2, 4, 6}), 2 * (2 * 4 * 6) * (3 * 3));
  EXPECT_EQ(Flops(&ConvolutionCost, {1, 4, 5}, {2, 1, 2, 3}, {1, 2, 3}), 2 * (2 * 3) * (2 * 3));
  EXPECT_EQ(Flops(&ConvolutionCost, {1, 1, 5}, {0, 1, 3}, {1, 0, 3}), 0);
  EXPECT_EQ(Flops(&TransposedConvolutionCost, {1, 2, 5}, {2, 3, 4}, {1, 3, 8}), 2 * (2 * 5) * (3 * 4));
  EXPECT_EQ(Flops(&TransposedConvolutionCost, {1, 0, 5}, {0, 3, 4}, {1, 3, 8}), 0);
}

}  // namespace
}  // namespace burin::ir

#include "snippets/epilogue/epilogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

// A dense kernel without a product: it loads its accumulators from memory.
struct TileArgs {
  const void* accumulators;
  int64_t accumulator_stride;
  const jit::EpiloguePlace* places;
  int64_t row;
  int64_t column;
  int64_t last_columns;
};
BURIN_ARG_OFFSET(TileArgs, accumulators, 0);
BURIN_ARG_OFFSET(TileArgs, accumulator_stride, 8);
BURIN_ARG_OFFSET(TileArgs, places, 16);
BURIN_ARG_OFFSET(TileArgs, row, 24);
BURIN_ARG_OFFSET(TileArgs, column, 32);
BURIN_ARG_OFFSET(TileArgs, last_columns, 40);

struct TileSize {
  int rows = 1;
  int vectors = 1;
};

// Generates the kernel for tiles of that size; `spare` vector registers are left to the epilogue.
template <class V>
absl::StatusOr<jit::ExecutableCode> Generate(const Epilogue& epilogue, const jit::Target& target, const TileSize& size,
                                             int spare, bool has_end) {
  jit::Assembler code("tile", target.isa());
  {
    jit::AbiFrame frame(code);
    V v(code);
    std::vector<jit::VecReg> accumulators;
    const jit::GprReg places = code.regs().Gpr("places");
    const jit::GprReg row = code.regs().Gpr("row");
    const jit::GprReg column = code.regs().Gpr("column");
    const jit::GprReg last = code.regs().Gpr("last");
    {
      const jit::GprReg from = code.regs().Gpr("from");
      const jit::GprReg stride = code.regs().Gpr("stride");
      frame.Load(from, BURIN_ARG_FIELD(TileArgs, accumulators));
      frame.Load(stride, BURIN_ARG_FIELD(TileArgs, accumulator_stride));
      for (int r = 0; r < size.rows; ++r) {
        for (int i = 0; i < size.vectors; ++i) {
          accumulators.push_back(v.New("accumulator"));
          v.Load(accumulators.back(), jit::ptr[from + i * (V::kBits / 8)]);
        }
        code.add(from, stride);
      }
    }
    frame.Load(places, BURIN_ARG_FIELD(TileArgs, places));
    frame.Load(row, BURIN_ARG_FIELD(TileArgs, row));
    frame.Load(column, BURIN_ARG_FIELD(TileArgs, column));
    frame.Load(last, BURIN_ARG_FIELD(TileArgs, last_columns));
    frame.ReleaseArgs();
    std::vector<jit::VecReg> held;
    while (code.regs().available(jit::RegClass::kVec) > spare) held.push_back(v.New("held"));
    const auto accumulator = [&](int r, int i) -> jit::Xmm {
      return accumulators[static_cast<size_t>(r * size.vectors + i)];
    };
    jit::EpilogueTile tile = {size.rows, size.vectors, accumulator, places, row, column, {}};
    if (has_end) tile.last_columns.emplace(last);
    epilogue.Emit(v, frame, tile);
    held.clear();
    accumulators.clear();
    frame.Finish();
  }
  BURIN_ASSIGN_OR_RETURN(const jit::CodeBlob blob, std::move(code).Finalize());
  return jit::ExecutableCode::Load(blob);
}

// Applies epilogues to matrices tile by tile and compares them with the reference.
class EpilogueRunner {
 public:
  EpilogueRunner(std::unique_ptr<ir::Model> body, std::unique_ptr<Epilogue> epilogue, const jit::Target& target)
      : body_(std::move(body)), epilogue_(std::move(epilogue)), target_(target) {}

  const Epilogue& epilogue() const { return *epilogue_; }

  void Check(int64_t rows, int64_t columns, const TileSize& size, int spare, double tolerance) {
    SCOPED_TRACE(
        absl::StrCat(rows, " x ", columns, ", tiles of ", size.rows, " x ", size.vectors, " vectors, spare ", spare));
    const bool wide = target_.Supports(jit::IsaLevel::kAvx512);
    const int64_t lanes = wide ? jit::VecAvx512::kLanes : jit::VecAvx2::kLanes;
    std::vector<ir::Tensor> inputs = MakeInputs(rows, columns);
    ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body_));
    ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, evaluator.Run(inputs));
    std::vector<ir::Tensor> outputs;
    for (const ir::Tensor& tensor : expected) {
      ASSERT_OK_AND_ASSIGN(ir::Tensor output, ir::Tensor::CreateZeroed(tensor.element_type(), tensor.shape()));
      outputs.push_back(std::move(output));
    }
    const std::vector<jit::EpiloguePlace> places = MakePlaces(inputs, outputs, columns);
    const std::vector<char> padded = Pad(inputs[0], rows, columns, size, lanes);
    const int64_t stride = PaddedColumns(columns, size, lanes) * 4;
    for (int64_t row = 0; row < rows; row += size.rows) {
      const int tile_rows = static_cast<int>(std::min<int64_t>(size.rows, rows - row));
      for (int64_t column = 0; column < columns; column += size.vectors * lanes) {
        const int64_t left = std::min<int64_t>(size.vectors * lanes, columns - column);
        const TileSize tile = {tile_rows, static_cast<int>((left + lanes - 1) / lanes)};
        const bool has_end = left % lanes != 0;
        const absl::StatusOr<jit::ExecutableCode> code =
            wide ? Generate<jit::VecAvx512>(*epilogue_, target_, tile, spare, has_end)
                 : Generate<jit::VecAvx2>(*epilogue_, target_, tile, spare, has_end);
        ASSERT_OK(code.status());
        const TileArgs args = {padded.data() + row * stride + column * 4, stride, places.data(), row, column,
                               left - (tile.vectors - 1) * lanes};
        code->entry<void (*)(const TileArgs*)>()(&args);
      }
    }
    for (size_t k = 0; k < expected.size(); ++k) Compare(outputs[k], expected[k], tolerance, k);
  }

 private:
  static int64_t PaddedColumns(int64_t columns, const TileSize& size, int64_t lanes) {
    const int64_t tile = size.vectors * lanes;
    return (columns + tile - 1) / tile * tile;
  }

  std::vector<ir::Tensor> MakeInputs(int64_t rows, int64_t columns) {
    std::vector<ir::Tensor> inputs;
    for (const ir::NodeId id : body_->parameters()) {
      const ir::ValueInfo& info = body_->info({id, 0});
      ir::Shape shape;
      for (int64_t k = 0; k < info.shape.rank(); ++k) {
        const bool is_row = k + 2 == info.shape.rank();
        shape.push_back(info.shape[k].is_static() ? info.shape[k].value() : is_row ? rows : columns);
      }
      ir::Tensor tensor = ir::Tensor::Create(info.type, shape).value();
      std::vector<double> values(static_cast<size_t>(tensor.element_count()));
      std::uniform_real_distribution<double> distribution(-6, 6);
      for (double& value : values) value = distribution(random_) * (info.type == ElementType::kI32 ? 100 : 1);
      StoreRangeFromDouble(info.type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
      inputs.push_back(std::move(tensor));
    }
    return inputs;
  }

  std::vector<jit::EpiloguePlace> MakePlaces(std::vector<ir::Tensor>& inputs, std::vector<ir::Tensor>& outputs,
                                             int64_t columns) {
    std::vector<jit::EpiloguePlace> places;
    const auto add = [&](void* data, const jit::EpilogueOperand& operand) {
      const int64_t bytes = BitWidth(operand.type) / 8;
      places.push_back({data, bytes * (operand.per_column ? columns : 1)});
    };
    size_t next = 0;
    for (size_t i = 1; i < inputs.size(); ++i) add(inputs[i].mutable_data(), epilogue_->operands()[next++]);
    for (ir::Tensor& output : outputs) add(output.mutable_data(), epilogue_->operands()[next++]);
    EXPECT_EQ(places.size(), epilogue_->operands().size());
    return places;
  }

  std::vector<char> Pad(const ir::Tensor& accumulators, int64_t rows, int64_t columns, const TileSize& size,
                        int64_t lanes) {
    const int64_t padded_columns = PaddedColumns(columns, size, lanes);
    std::vector<char> padded(static_cast<size_t>((rows + size.rows) * padded_columns * 4), 0x7f);
    for (int64_t row = 0; row < rows; ++row) {
      const char* const from = static_cast<const char*>(accumulators.data()) + row * columns * 4;
      std::copy(from, from + columns * 4, padded.begin() + row * padded_columns * 4);
    }
    return padded;
  }

  static void Compare(const ir::Tensor& got, const ir::Tensor& expected, double tolerance, size_t output) {
    const int64_t count = expected.element_count();
    std::vector<double> a(static_cast<size_t>(count));
    std::vector<double> b(a.size());
    LoadRangeAsDouble(got.element_type(), got.data(), 0, count, a.data());
    LoadRangeAsDouble(expected.element_type(), expected.data(), 0, count, b.data());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_LE(std::abs(a[i] - b[i]), tolerance * std::max(1.0, std::abs(b[i])))
          << "output " << output << ", element " << i << ": got " << a[i] << ", expected " << b[i];
    }
  }

  std::unique_ptr<ir::Model> body_;
  std::unique_ptr<Epilogue> epilogue_;
  jit::Target target_;
  std::mt19937 random_{7};
};

absl::StatusOr<EpilogueRunner> Compile(absl::string_view nodes) {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> body,
                         ir::ParseModel(absl::StrCat("model \"test\" {\n", nodes, "\n}")));
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Epilogue> epilogue, Epilogue::Create(*body));
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
  return EpilogueRunner(std::move(body), std::move(epilogue), target);
}

void ExpectLikeReference(absl::string_view nodes, double tolerance, int least_spare) {
  ASSERT_OK_AND_ASSIGN(EpilogueRunner runner, Compile(nodes));
  for (const int64_t columns : {1, 15, 16, 17, 40}) runner.Check(5, columns, {3, 2}, 8, tolerance);
  for (const TileSize& size : {TileSize{1, 1}, TileSize{6, 1}, TileSize{2, 3}}) runner.Check(6, 48, size, 8, tolerance);
  // With few registers values go to the stack, and rows come one by one.
  runner.Check(4, 33, {4, 1}, least_spare, tolerance);
}

TEST(EpilogueTest, AddsABiasPerColumnAndAResidual) {
  ExpectLikeReference(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "bias" = Parameter() {element_type = f32, shape = [n]}
    %2 "residual" = Parameter() {element_type = f32, shape = [m,n]}
    %3 = Add(%0, %1)
    %4 = Add(%3, %2)
    %5 = Relu(%4)
    %6 "out" = Result(%5))",
                      0, 3);
}

TEST(EpilogueTest, HasSeveralOutputsOfOtherTypes) {
  ExpectLikeReference(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "bias" = Parameter() {element_type = f16, shape = [1,n]}
    %2 = Convert(%1) {destination_type = f32}
    %3 = Add(%0, %2)
    %4 = Gelu(%3)
    %5 = Convert(%4) {destination_type = bf16}
    %6 "before" = Result(%3)
    %7 "after" = Result(%5))",
                      8e-3, 8);
}

TEST(EpilogueTest, RequantisesIntegers) {
  ExpectLikeReference(R"(
    %0 "acc" = Parameter() {element_type = i32, shape = [m,n]}
    %1 "row_scale" = Parameter() {element_type = f32, shape = [m,1]}
    %2 "column_scale" = Parameter() {element_type = f32, shape = [1,n]}
    %3 = Convert(%0) {destination_type = f32}
    %4 = Multiply(%3, %1)
    %5 = Multiply(%4, %2)
    %6 = Constant() {value = f32[]{0.01}}
    %7 = Multiply(%5, %6)
    %8 = Clamp(%7) {min = -128, max = 127}
    %9 = Round(%8) {mode = half_to_even}
    %10 = Convert(%9) {destination_type = i8}
    %11 "out" = Result(%10))",
                      0, 6);
}

TEST(EpilogueTest, SelectsByAScalar) {
  ExpectLikeReference(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "limit" = Parameter() {element_type = f32, shape = []}
    %2 "mask" = Parameter() {element_type = boolean, shape = [m,n]}
    %3 = Greater(%0, %1)
    %4 = LogicalAnd(%3, %2)
    %5 = Negative(%0)
    %6 = Select(%4, %0, %5)
    %7 "out" = Result(%6))",
                      0, 6);
}

// Of as many columns as the constant has; the code is that of any number.
TEST(EpilogueTest, ConstantsAreOperands) {
  const auto nodes = [](absl::string_view bias) {
    return absl::StrCat(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "bias" = )",
                        bias, R"(
    %2 "biased" = Add(%0, %1)
    %3 "row" = Parameter() {element_type = f32, shape = [m,1]}
    %4 "scaled" = Multiply(%2, %3)
    %5 "out" = Result(%4))");
  };
  ASSERT_OK_AND_ASSIGN(const EpilogueRunner three, Compile(nodes("Constant() {value = f32[1,3]{1, 2, 3}}")));
  ASSERT_OK_AND_ASSIGN(const EpilogueRunner four, Compile(nodes("Constant() {value = f32[4]{5, 6, 7, 8}}")));
  EXPECT_EQ(three.epilogue().content_key(), four.epilogue().content_key());
  ASSERT_EQ(three.epilogue().operands().size(), 3u);
  ASSERT_EQ(three.epilogue().constants().size(), 1u);
  EXPECT_EQ(three.epilogue().constants()[0].element_count(), 3);
  EXPECT_FALSE(three.epilogue().operands()[1].per_row);
  EXPECT_TRUE(three.epilogue().operands()[1].per_column);
}

TEST(EpilogueTest, SaysWhatItNeeds) {
  ASSERT_OK_AND_ASSIGN(const EpilogueRunner runner, Compile(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "bias" = Parameter() {element_type = f32, shape = [n]}
    %2 "scale" = Parameter() {element_type = f16, shape = [m,1]}
    %3 = Convert(%2) {destination_type = f32}
    %4 = Add(%0, %1)
    %5 = Multiply(%4, %3)
    %6 "out" = Result(%5))"));
  const absl::Span<const jit::EpilogueOperand> operands = runner.epilogue().operands();
  ASSERT_EQ(operands.size(), 3u);
  EXPECT_TRUE(operands[0].per_column && !operands[0].per_row && !operands[0].is_output);
  EXPECT_TRUE(operands[1].per_row && !operands[1].per_column && operands[1].type == ElementType::kF16);
  EXPECT_TRUE(operands[2].per_row && operands[2].per_column && operands[2].is_output);
  for (const jit::IsaLevel level : {jit::IsaLevel::kAvx2, jit::IsaLevel::kAvx512}) {
    const jit::EpilogueRegisters registers = runner.epilogue().Registers(jit::IsaSet::From(level));
    EXPECT_GE(registers.vectors, 2);
    EXPECT_LE(registers.vectors, 6);
    EXPECT_GE(registers.general, 2);
    EXPECT_LE(registers.general, 6);
  }
}

TEST(EpilogueTest, TooFewRegistersAreAnError) {
  ASSERT_OK_AND_ASSIGN(const EpilogueRunner runner, Compile(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 = Gelu(%0)
    %2 "out" = Result(%1))"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  const bool wide = target.Supports(jit::IsaLevel::kAvx512);
  const absl::Status status = wide ? Generate<jit::VecAvx512>(runner.epilogue(), target, {1, 1}, 1, false).status()
                                   : Generate<jit::VecAvx2>(runner.epilogue(), target, {1, 1}, 1, false).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("left: 1")));
}

TEST(EpilogueTest, EqualBodiesHaveEqualKeys) {
  constexpr absl::string_view kText = R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 = Elu(%0) {alpha = ALPHA}
    %2 "out" = Result(%1))";
  const auto key = [&](absl::string_view alpha) {
    std::string text(kText);
    text.replace(text.find("ALPHA"), 5, std::string(alpha));
    const absl::StatusOr<EpilogueRunner> runner = Compile(text);
    EXPECT_OK(runner.status());
    return runner->epilogue().content_key();
  };
  EXPECT_EQ(key("1"), key("1"));
  EXPECT_FALSE(key("1") == key("2"));
}

TEST(EpilogueTest, RefusesWhatItCannotDo) {
  EXPECT_THAT(Compile(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceSum(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 "out" = Result(%3))")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("reduction")));
  EXPECT_THAT(Compile(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [4,n]}
    %1 "out" = Result(%0))")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("rows and columns of any number")));
  EXPECT_THAT(Compile(R"(
    %0 "acc" = Parameter() {element_type = f32, shape = [m,n]}
    %1 "t" = Parameter() {element_type = f32, shape = [n,m]}
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 = Transpose(%1, %2)
    %4 = Add(%0, %3)
    %5 "out" = Result(%4))")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("side by side")));
}

}  // namespace
}  // namespace burin::snippets

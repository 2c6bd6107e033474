#include "examples/text_generation/summing_decoder_testlib.h"

#include <numeric>

#include "absl/strings/str_replace.h"

namespace burin::text_generation {
namespace {

constexpr char kModel[] = R"(model "sums" {
  %0 "input_ids" = Parameter() {element_type = i64, shape = [?,?]}
  %1 "attention_mask" = Parameter() {element_type = i64, shape = [?,?]}
  %2 "position_ids" = Parameter() {element_type = i64, shape = [?,?]}
  %3 "past_key_values.0.key" = Parameter() {element_type = TYPE, shape = [?,1,?,1]}
  %4 "column" = Constant() {value = i64[4]{1, 1, -1, 1}}
  %5 "rows" = Constant() {value = i64[3]{1, -1, 1}}
  %6 = Convert(%0) {destination_type = TYPE}
  %7 = Reshape(%6, %4)
  %8 = Concat(%3, %7) {axis = 2}
  %9 = Convert(%1) {destination_type = TYPE}
  %10 = Reshape(%9, %4)
  %11 = Multiply(%8, %10)
  %12 "axes" = Constant() {value = i64[2]{2, 3}}
  %13 = ReduceSum(%11, %12) {keep_dims = false}
  %14 = Convert(%2) {destination_type = TYPE}
  %15 = Reshape(%14, %5)
  %16 "three" = Constant() {value = TYPE[1]{3}}
  %17 = Multiply(%15, %16)
  %18 = Add(%17, %13)
  %19 "eleven" = Constant() {value = TYPE[1]{11}}
  %20 = FloorMod(%18, %19)
  %21 "vocabulary" = Constant() {value = TYPE[11]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
  %22 = Subtract(%21, %20)
  %23 = Abs(%22)
  %24 = Negative(%23)
  %25 "logits" = Result(%24)
  %26 "present.0.key" = Result(%8)
})";

}  // namespace

absl::StatusOr<Model> SummingDecoder(ElementType type) {
  return Model::FromText(absl::StrReplaceAll(kModel, {{"TYPE", type == ElementType::kF16    ? "f16"
                                                               : type == ElementType::kBf16 ? "bf16"
                                                                                            : "f32"}}));
}

std::vector<int64_t> SummedTokens(std::vector<int64_t> prompt, int64_t count) {
  const size_t begin = prompt.size();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t sum = std::accumulate(prompt.begin(), prompt.end(), int64_t{0});
    prompt.push_back((sum + 3 * (static_cast<int64_t>(prompt.size()) - 1)) % 11);
  }
  return {prompt.begin() + static_cast<std::ptrdiff_t>(begin), prompt.end()};
}

}  // namespace burin::text_generation

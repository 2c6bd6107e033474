#include "tools/kernel_bench/families/dense/gemm_sets.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace burin::kernel_bench {
namespace {

constexpr GemmOperand kConstant = GemmOperand::kConstant;
constexpr GemmOperand kPlain = GemmOperand::kPlain;
constexpr GemmOperand kTransposed = GemmOperand::kTransposed;

constexpr GemmCase kUsual[] = {
    // What fits the first caches.
    {32, 32, 32, kConstant},
    {64, 64, 64, kConstant},
    {128, 128, 128, kConstant},
    {49, 64, 256, kConstant},
    {7, 64, 512, kConstant},
    // Encoders of text and images.
    {64, 768, 768, kConstant},
    {128, 768, 768, kConstant},
    {197, 768, 768, kConstant},
    {384, 768, 768, kConstant},
    {128, 3072, 768, kConstant},
    {128, 768, 3072, kConstant},
    {384, 1024, 1024, kConstant},
    {384, 4096, 1024, kConstant},
    {384, 1024, 4096, kConstant},
    {512, 512, 512, kConstant},
    {1024, 1024, 1024, kConstant},
    // With ends.
    {100, 1000, 500, kConstant},
    {77, 333, 999, kConstant},
    // Few rows.
    {1, 1024, 1024, kConstant},
    {1, 1000, 2048, kConstant},
    {1, 4096, 4096, kConstant},
    {2, 4096, 4096, kConstant},
    {4, 4096, 4096, kConstant},
    {16, 4096, 4096, kConstant},
    // B that comes with each call.
    {64, 64, 64, kPlain},
    {128, 768, 768, kPlain},
    {384, 1024, 1024, kPlain},
    {128, 128, 64, kTransposed},
    {384, 768, 768, kTransposed},
    {1, 4096, 4096, kPlain},
    {1, 4096, 4096, kTransposed},
    {4, 4096, 4096, kTransposed},
    {16, 4096, 4096, kPlain},
};

// Is a product of a model. Of attention it is that of one head.
struct ModelGemm {
  const char* set;
  GemmCase product;
};

constexpr ModelGemm kOfModels[] = {
    {"resnet50", {1, 1000, 2048, kConstant}},
    {"vgg19", {1, 4096, 25088, kConstant}},
    {"vgg19", {1, 4096, 4096, kConstant}},
    {"vgg19", {1, 1000, 4096, kConstant}},
    {"mobilenet_v2", {1, 1000, 1280, kConstant}},
    {"bert", {128, 768, 768, kConstant}},
    {"bert", {128, 3072, 768, kConstant}},
    {"bert", {128, 768, 3072, kConstant}},
    {"bert", {384, 768, 768, kConstant}},
    {"bert", {384, 1024, 1024, kConstant}},
    {"bert", {384, 4096, 1024, kConstant}},
    {"bert", {384, 1024, 4096, kConstant}},
    {"bert", {128, 128, 64, kTransposed}},
    {"bert", {128, 64, 128, kPlain}},
    {"vit", {197, 768, 768, kConstant}},
    {"vit", {197, 2304, 768, kConstant}},
    {"vit", {197, 3072, 768, kConstant}},
    {"vit", {197, 768, 3072, kConstant}},
    {"vit", {197, 197, 64, kTransposed}},
    {"vit", {197, 64, 197, kPlain}},
    {"llama", {1, 4096, 4096, kConstant}},
    {"llama", {1, 11008, 4096, kConstant}},
    {"llama", {1, 4096, 11008, kConstant}},
    {"llama", {2, 4096, 4096, kConstant}},
    {"llama", {4, 4096, 4096, kConstant}},
    {"llama", {16, 4096, 4096, kConstant}},
    {"llama", {64, 4096, 4096, kConstant}},
    {"llama", {1, 512, 128, kTransposed}},
    {"llama", {1, 128, 512, kPlain}},
    {"small", {16, 16, 16, kConstant}},
    {"small", {32, 32, 32, kConstant}},
    {"small", {48, 48, 48, kConstant}},
    {"small", {64, 64, 64, kConstant}},
    {"small", {96, 96, 96, kConstant}},
    {"small", {128, 128, 128, kConstant}},
    {"small", {7, 64, 512, kConstant}},
    {"small", {49, 64, 256, kConstant}},
};

bool Contains(const std::vector<GemmCase>& products, const GemmCase& product) {
  return std::any_of(products.begin(), products.end(),
                     [&](const GemmCase& other) { return other.Name() == product.Name(); });
}

}  // namespace

std::vector<GemmCase> UsualGemms() { return {std::begin(kUsual), std::end(kUsual)}; }

std::vector<GemmCase> GemmsOf(const CaseSet& set) {
  std::vector<GemmCase> products;
  if (set.seed.has_value()) {
    SizeDraw draw(*set.seed);
    while (products.size() < static_cast<size_t>(CaseSet::kDrawn)) {
      GemmCase product;
      product.m = draw.Draw(1, 2048, 16);
      product.n = draw.Draw(64, 4096, 16);
      product.k = draw.Draw(64, 4096, 16);
      const bool is_short = product.m * product.n * product.k <= CaseSet::kMostDrawn;
      if (is_short && !Contains(products, product)) products.push_back(product);
    }
    return products;
  }
  for (const ModelGemm& of_model : kOfModels) {
    const bool wanted = set.name == "all" || set.name == of_model.set;
    if (wanted && !Contains(products, of_model.product)) products.push_back(of_model.product);
  }
  return products;
}

}  // namespace burin::kernel_bench

#include "runtime/readers/onnx/corpus/product_corpus_testlib.h"

#include <cstdint>
#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/corpus/corpus_node_testlib.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;
using ir::I64;
using ir::I8;
using ir::U8;

using Ints = std::vector<int64_t>;

constexpr int64_t kNewest = kNewestOpset;

void AddProducts(std::vector<SingleNode>* nodes) {
  const ir::Tensor a = Ascending({2, 3});
  nodes->push_back(CorpusNode("MatMul", kNewest, {a, Ascending({3, 2})}));
  nodes->push_back(CorpusNode("Gemm", kNewest, {a, Ascending({2, 3}), F32({2}, {1, 2})}, {{"transB", 1}}));
  nodes->push_back(CorpusNode("Gemm", 6, {a, Ascending({3, 2}), F32({2}, {1, 2})}, {{"broadcast", 1}}));
  nodes->push_back(CorpusNode("Einsum", kNewest, {a, Ascending({3})}, {{"equation", "ij,j->i"}}).Variable(2));
  nodes->push_back(CorpusNode("Det", kNewest, {F32({2, 2}, {1, 2, 3, 5})}));
  const ir::Tensor image = Ascending({1, 2, 4, 4});
  nodes->push_back(CorpusNode("Conv", kNewest, {image, Ascending({2, 2, 3, 3}), F32({2}, {1, 2})},
                              {{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 1}}}));
  nodes->push_back(CorpusNode("ConvTranspose", kNewest, {image, Ascending({2, 1, 2, 2})}, {{"strides", Ints{2, 2}}}));
  nodes->push_back(CorpusNode("DeformConv", kNewest,
                              {image, Ascending({1, 2, 2, 2}), Filled({1, 8, 3, 3}, 0.25), F32({1}, {1})},
                              {{"kernel_shape", Ints{2, 2}}}));
  nodes->push_back(
      CorpusNode("CausalConvWithState", kNewest, {Ascending({1, 2, 3}), Ascending({2, 1, 2})}, {}, {kFloat, kFloat}));
}

void AddWindows(std::vector<SingleNode>* nodes) {
  const ir::Tensor image = Ascending({1, 2, 4, 4});
  const CorpusAttribute kernel = {"kernel_shape", Ints{2, 2}};
  nodes->push_back(CorpusNode("AveragePool", kNewest, {image}, {kernel, {"pads", Ints{1, 0, 0, 0}}}));
  nodes->push_back(CorpusNode("MaxPool", kNewest, {image}, {kernel}, {kFloat, kInt64}));
  nodes->push_back(CorpusNode("MaxPool", 7, {image}, {kernel}));
  nodes->push_back(CorpusNode("LpPool", kNewest, {image}, {kernel, {"p", 2}}));
  nodes->push_back(CorpusNode("LpPool", 1, {image}, {kernel, {"p", 2.0}}));
  for (const char* const op : {"GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool"}) {
    nodes->push_back(CorpusNode(op, kNewest, {image}));
  }
  nodes->push_back(CorpusNode("MaxUnpool", kNewest, {F32({1, 1, 1, 2}, {7, 9}), I64({1, 1, 1, 2}, {5, 3})},
                              {kernel, {"strides", Ints{2, 2}}}));
  const ir::Tensor regions = F32({1, 4}, {0, 0, 4, 4});
  nodes->push_back(CorpusNode("RoiAlign", kNewest, {image, regions, I64({1}, {0})},
                              {{"output_height", 2}, {"output_width", 2}, {"sampling_ratio", 1}})
                       .Variable(3));
  nodes->push_back(
      CorpusNode("MaxRoiPool", kNewest, {image, F32({1, 5}, {0, 0, 0, 3, 3})}, {{"pooled_shape", Ints{2, 2}}})
          .Variable(2));
  nodes->push_back(
      CorpusNode("GridSample", kNewest, {image, Filled({1, 2, 2, 2}, 0.25)}, {{"mode", "linear"}}).Variable(2));
  nodes->push_back(CorpusNode("GridSample", 19, {image, Filled({1, 2, 2, 2}, 0.25)}).Variable(2));
  nodes->push_back(CorpusNode("AffineGrid", kNewest, {F32({1, 2, 3}, {1, 0, 0, 0, 1, 0}), I64({4}, {1, 1, 2, 2})}));
  nodes->push_back(CorpusNode("Resize", kNewest, {image, ir::Tensor(), F32({4}, {1, 1, 2, 2})}, {{"mode", "linear"}}));
  nodes->push_back(CorpusNode("Resize", 10, {image, F32({4}, {1, 1, 2, 2})}));
  nodes->push_back(CorpusNode("Upsample", 9, {image, F32({4}, {1, 1, 2, 2})}, {{"mode", "nearest"}}));
  nodes->push_back(CorpusNode("Upsample", 10, {image, F32({4}, {1, 1, 2, 2})}, {{"mode", "nearest"}}));
  SingleNode scales = CorpusNode("Upsample", 7, {image});
  nodes->push_back(scales.With([](::onnx::NodeProto& node) { SetFloats(node, "scales", {1, 1, 2, 2}); }));
  nodes->push_back(CorpusNode("Upsample", 1, {image}, {{"height_scale", 2.0}, {"width_scale", 2.0}}));
}

void AddSequences(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({2, 1, 2});
  const CorpusAttribute size = {"hidden_size", 1};
  nodes->push_back(CorpusNode("LSTM", kNewest, {x, Ascending({1, 4, 2}), Ascending({1, 4, 1}), Ascending({1, 8})},
                              {size}, {kFloat, kFloat, kFloat}));
  nodes->push_back(CorpusNode("GRU", kNewest, {x, Ascending({1, 3, 2}), Ascending({1, 3, 1}), Ascending({1, 6})},
                              {size, {"linear_before_reset", 1}}, {kFloat, kFloat}));
  nodes->push_back(CorpusNode("RNN", kNewest, {x, Ascending({2, 1, 2}), Ascending({2, 1, 1})},
                              {size, {"direction", "bidirectional"}}, {kFloat, kFloat}));
  const ir::Tensor heads = Ascending({1, 2, 3, 4});
  nodes->push_back(CorpusNode("Attention", kNewest, {heads, heads, heads}, {{"is_causal", 1}}).Variable(3));
  const ir::Tensor tokens = Ascending({1, 2, 1});
  nodes->push_back(CorpusNode("LinearAttention", kNewest, {tokens, tokens, tokens},
                              {{"update_rule", "linear"}, {"q_num_heads", 1}, {"kv_num_heads", 1}}, {kFloat, kFloat})
                       .Variable(3));
  const ir::Tensor angles = Filled({1, 3, 2}, 0.5);
  nodes->push_back(CorpusNode("RotaryEmbedding", kNewest, {heads, angles, angles}));
}

void AddSignals(std::vector<SingleNode>* nodes) {
  for (const char* const op : {"BlackmanWindow", "HammingWindow", "HannWindow"}) {
    nodes->push_back(CorpusNode(op, kNewest, {I64({}, {4})}, {{"periodic", 0}}));
  }
  nodes->push_back(CorpusNode("MelWeightMatrix", kNewest,
                              {I64({}, {2}), I64({}, {16}), I64({}, {16000}), F32({}, {0}), F32({}, {8000})}));
  nodes->push_back(CorpusNode("DFT", kNewest, {Ascending({1, 4, 1}), ir::Tensor(), I64({}, {1})}));
  nodes->push_back(CorpusNode("DFT", 19, {Ascending({1, 4, 1})}, {{"axis", 1}, {"onesided", 1}}));
  nodes->push_back(CorpusNode("STFT", kNewest, {Ascending({1, 4, 1}), I64({}, {2}), ir::Tensor(), I64({}, {2})}));
}

void AddQuantisation(std::vector<SingleNode>* nodes) {
  const ir::Tensor scale = F32({}, {0.5});
  const ir::Tensor zero = U8({}, {1});
  nodes->push_back(CorpusNode("QuantizeLinear", kNewest, {F32({2, 2}, {1, 2, 3, 4}), scale, zero}, {}, {kUint8}));
  nodes->push_back(CorpusNode("DequantizeLinear", kNewest, {U8({2, 2}, {1, 2, 3, 4}), scale, zero}));
  nodes->push_back(CorpusNode("DynamicQuantizeLinear", kNewest, {Ascending({3})}, {}, {kUint8, kFloat, kUint8}));
  const ir::Tensor a = U8({1, 2}, {3, 5});
  const ir::Tensor b = U8({2, 1}, {2, 4});
  nodes->push_back(CorpusNode("MatMulInteger", kNewest, {a, b, zero}, {}, {kInt32}));
  nodes->push_back(CorpusNode("QLinearMatMul", kNewest, {a, scale, zero, b, scale, zero, scale, zero}, {}, {kUint8}));
  const ir::Tensor row = U8({1, 1, 3}, {3, 4, 5});
  const ir::Tensor weights = U8({1, 1, 2}, {1, 2});
  nodes->push_back(CorpusNode("ConvInteger", kNewest, {row, weights, zero}, {{"pads", Ints{1, 0}}}, {kInt32}));
  nodes->push_back(CorpusNode("QLinearConv", kNewest,
                              {row, scale, zero, weights, F32({1}, {2}), U8({1}, {0}), scale, zero, I32({1}, {6})}, {},
                              {kUint8}));
}

}  // namespace

std::vector<SingleNode> ProductCorpus() {
  std::vector<SingleNode> nodes;
  AddProducts(&nodes);
  AddWindows(&nodes);
  AddSequences(&nodes);
  AddSignals(&nodes);
  AddQuantisation(&nodes);
  return nodes;
}

}  // namespace burin::onnx

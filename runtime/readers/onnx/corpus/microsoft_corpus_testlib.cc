#include "runtime/readers/onnx/corpus/microsoft_corpus_testlib.h"

#include <cstdint>
#include <string>
#include <utility>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/corpus/corpus_node_testlib.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;
using ir::I64;
using ir::I8;
using ir::U8;

using Ints = std::vector<int64_t>;

SingleNode Node(const std::string& op, std::vector<ir::Tensor> inputs, std::vector<CorpusAttribute> attributes = {},
                std::vector<int> outputs = {kFloat}) {
  return CorpusNode(op, 21, std::move(inputs), std::move(attributes), std::move(outputs)).Domain("com.microsoft");
}

void AddFused(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({1, 2, 4});
  const ir::Tensor four = Ascending({4});
  nodes->push_back(Node("BiasAdd", {x, four, x}));
  nodes->push_back(Node("BiasGelu", {x, four}));
  nodes->push_back(Node("BiasSplitGelu", {x, four}));
  nodes->push_back(Node("FastGelu", {x, four}));
  nodes->push_back(Node("Gelu", {x}));
  nodes->push_back(Node("QuickGelu", {x}));
  nodes->push_back(Node("FusedMatMul", {Ascending({1, 2}), Ascending({1, 2})}, {{"transB", 1}, {"alpha", 0.5}}));
  nodes->push_back(Node("TransposeMatMul", {Ascending({1, 2}), Ascending({1, 2})}, {{"transB", 1}}));
  nodes->push_back(
      Node("FusedGemm", {Ascending({1, 2}), Ascending({2, 2}), F32({2}, {1, 2})}, {{"activation", "Relu"}}));
  nodes->push_back(
      Node("FusedConv", {Ascending({1, 1, 3, 3}), Ascending({1, 1, 2, 2}), F32({1}, {1})}, {{"activation", "Relu"}}));
  nodes->push_back(Node("SkipLayerNormalization", {x, x, four, four, four}, {}, {kFloat, 0, 0, kFloat}));
  nodes->push_back(Node("SkipSimplifiedLayerNormalization", {x, x, four}, {}, {kFloat, 0, 0, kFloat}));
  nodes->push_back(Node("EmbedLayerNormalization",
                        {I32({1, 2}, {1, 0}), I32({1, 2}, {0, 1}), Ascending({2, 2}), Ascending({2, 2}),
                         Ascending({2, 2}), F32({2}, {1, 1}), F32({2}, {0, 10}), I32({1, 2}, {1, 0})},
                        {}, {kFloat, kInt32}));
}

void AddAttention(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({1, 2, 2});
  const CorpusAttribute heads = {"num_heads", 1};
  nodes->push_back(Node("Attention", {x, Ascending({2, 6}), Ascending({6})}, {heads}));
  nodes->push_back(Node("MultiHeadAttention", {x, x, x}, {heads}, {kFloat, kFloat, kFloat}).Variable(3));
  nodes->push_back(Node("GroupQueryAttention", {x, x, x, ir::Tensor(), ir::Tensor(), I32({1}, {1}), I32({}, {2})},
                        {heads, {"kv_num_heads", 1}}, {kFloat, kFloat, kFloat})
                       .Variable(3));
  nodes->push_back(Node("QAttention",
                        {U8({1, 1, 2}, {130, 127}), I8({2, 3}, {1, 2, 31, 3, 4, 21}), F32({3}, {0.5, 0.5, 0.25}),
                         F32({}, {0.5}), F32({}, {0.1}), ir::Tensor(), U8({}, {128}), I8({}, {1})},
                        {heads}));
  const ir::Tensor angles = Filled({3, 1}, 0.5);
  nodes->push_back(Node("RotaryEmbedding", {x, I64({1, 2}, {0, 1}), angles, angles}));
}

void AddQuantised(std::vector<SingleNode>* nodes) {
  const ir::Tensor scale = F32({}, {0.5});
  const ir::Tensor zero = U8({}, {1});
  const ir::Tensor a = U8({1, 2}, {3, 5});
  nodes->push_back(Node("QuantizeLinear", {F32({2}, {1, 2}), scale, zero}, {}, {kUint8}));
  nodes->push_back(Node("DequantizeLinear", {a, scale, zero}));
  for (const char* const op : {"QLinearAdd", "QLinearMul"}) {
    nodes->push_back(Node(op, {a, scale, zero, a, scale, zero, scale, zero}, {}, {kUint8}));
  }
  for (const char* const op : {"QLinearSigmoid", "QLinearLeakyRelu"}) {
    nodes->push_back(Node(op, {a, scale, zero, scale, zero}, {}, {kUint8}));
  }
  nodes->push_back(Node("QLinearSoftmax", {a, scale, zero, F32({}, {0.00390625}), U8({}, {0})},
                        {{"axis", -1}, {"opset", 13}}, {kUint8}));
  nodes->push_back(
      Node("QLinearWhere", {ir::Bool({1, 2}, {1, 0}), a, scale, zero, a, scale, zero, scale, zero}, {}, {kUint8}));
  const ir::Tensor image = U8({1, 1, 2, 2}, {1, 3, 10, 20});
  nodes->push_back(Node("QLinearGlobalAveragePool", {image, scale, zero, scale, zero}, {}, {kUint8}));
  nodes->push_back(
      Node("QLinearConv",
           {image, scale, zero, U8({2, 2, 1, 1}, {1, 2, 3, 4}), F32({2}, {2, 1}), U8({2}, {0, 0}), scale, zero},
           {{"channels_last", 1}}, {kUint8}));
  nodes->push_back(
      Node("QLinearAveragePool", {image, scale, zero, scale, zero}, {{"kernel_shape", Ints{2, 2}}}, {kUint8}));
  nodes->push_back(
      Node("QLinearConcat", {scale, zero, a, scale, zero, a, scale, zero}, {{"axis", 1}}, {kUint8}).Variable(6));
  const ir::Tensor b = I8({2, 2}, {3, -1, 5, 0});
  nodes->push_back(Node("MatMulIntegerToFloat", {a, b, scale, F32({2}, {0.5, 10}), zero, I8({2}, {0, 0})}));
  nodes->push_back(Node("QGemm", {a, scale, zero, b, scale, I8({}, {0}), I32({2}, {7, 1})}));
  nodes->push_back(Node("DynamicQuantizeMatMul", {F32({1, 2}, {0, 255}), b, scale}));
  nodes->push_back(Node("DynamicQuantizeLSTM",
                        {F32({1, 1, 1}, {1}), U8({1, 1, 4}, {138, 148, 158, 168}), I8({1, 1, 4}, {5, 6, 7, 8}),
                         ir::Tensor(), ir::Tensor(), ir::Tensor(), ir::Tensor(), ir::Tensor(), F32({1}, {0.01}),
                         U8({1}, {128}), F32({1}, {0.1}), I8({1}, {0})},
                        {{"hidden_size", 1}}, {kFloat, kFloat, kFloat}));
  nodes->push_back(Node("MatMulNBits", {F32({1, 4}, {1, 2, 3, 4}), U8({1, 1, 2}, {16, 50}), F32({1, 1}, {1})},
                        {{"K", 4}, {"N", 1}, {"bits", 4}, {"block_size", 4}}));
  nodes->push_back(Node("GatherBlockQuantized",
                        {U8({2, 2}, {16, 50, 84, 118}), I64({1}, {1}), F32({2, 2}, {1, 2, 3, 4})},
                        {{"bits", 4}, {"block_size", 2}})
                       .Variable(2));
}

}  // namespace

std::vector<SingleNode> MicrosoftCorpus() {
  std::vector<SingleNode> nodes;
  AddFused(&nodes);
  AddAttention(&nodes);
  AddQuantised(&nodes);
  return nodes;
}

}  // namespace burin::onnx

#include "runtime/readers/onnx/corpus/elementwise_corpus_testlib.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/corpus/corpus_node_testlib.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::onnx {
namespace {

using ir::Bool;
using ir::F32;
using ir::I32;
using ir::I64;
using ir::U8;

constexpr int64_t kNewest = kNewestOpset;

void AddUnary(std::vector<SingleNode>* nodes) {
  for (const char* const op : {"Abs",
                               "Acos",
                               "Asin",
                               "Asinh",
                               "Atan",
                               "Atanh",
                               "Ceil",
                               "Cos",
                               "Cosh",
                               "Erf",
                               "Exp",
                               "Floor",
                               "HardSwish",
                               "Log",
                               "Mish",
                               "Neg",
                               "Reciprocal",
                               "Relu",
                               "Round",
                               "Sigmoid",
                               "Sign",
                               "Sin",
                               "Sinh",
                               "Softplus",
                               "Softsign",
                               "Sqrt",
                               "Tan",
                               "Tanh",
                               "Celu",
                               "Elu",
                               "Gelu",
                               "HardSigmoid",
                               "LeakyRelu",
                               "Selu",
                               "Shrink",
                               "Swish",
                               "ThresholdedRelu",
                               "Identity"}) {
    nodes->push_back(CorpusNode(op, kNewest, {F32({2, 3}, {-0.5, 0.25, 0, 0.5, 0.75, -0.25})}));
  }
  nodes->push_back(CorpusNode("Acosh", kNewest, {F32({2}, {1.5, 2})}));
  nodes->push_back(CorpusNode("Gelu", kNewest, {F32({2}, {1.5, 2})}, {{"approximate", "tanh"}}));
  nodes->push_back(CorpusNode("BitwiseNot", kNewest, {U8({2}, {1, 7})}, {}, {kUint8}));
  nodes->push_back(CorpusNode("Not", kNewest, {Bool({2}, {1, 0})}, {}, {kBool}));
  nodes->push_back(CorpusNode("IsNaN", kNewest, {F32({2}, {1, 2})}, {}, {kBool}));
  nodes->push_back(CorpusNode("IsInf", kNewest, {F32({2}, {1, 2})}, {{"detect_negative", 0}}, {kBool}));
  nodes->push_back(CorpusNode("Cast", kNewest, {F32({2}, {1.5, 2})}, {{"to", kInt32}}, {kInt32}));
  nodes->push_back(CorpusNode("Cast", 5, {F32({2}, {1.5, 2})}, {{"to", "INT32"}}, {kInt32}));
  nodes->push_back(CorpusNode("CastLike", kNewest, {F32({2}, {1.5, 2}), I32({1}, {0})}, {}, {kInt32}));
  nodes->push_back(CorpusNode("BitCast", kNewest, {F32({2}, {1.5, 2})}, {{"to", kInt32}}, {kInt32}));
  nodes->push_back(CorpusNode("Clip", kNewest, {F32({3}, {-1, 0.5, 9}), F32({}, {0}), F32({}, {6})}));
  nodes->push_back(CorpusNode("Clip", 10, {F32({3}, {-1, 0.5, 9})}, {{"min", 0.0}, {"max", 6.0}}));
  nodes->push_back(CorpusNode("Dropout", kNewest, {F32({2}, {1, 2}), F32({}, {0.5})}, {}, {kFloat, kBool}));
  nodes->push_back(CorpusNode("Dropout", 11, {F32({2}, {1, 2})}, {{"ratio", 0.25}}));
  nodes->push_back(CorpusNode("Dropout", 6, {F32({2}, {1, 2})}, {{"is_test", 1}}));
}

void AddBinary(std::vector<SingleNode>* nodes) {
  const ir::Tensor a = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  const ir::Tensor b = F32({3}, {2, 2, 4});
  for (const char* const op : {"Add", "Div", "Mul", "Sub", "Pow", "PRelu", "Mod", "Max", "Min", "Mean", "Sum"}) {
    nodes->push_back(CorpusNode(op, kNewest, {a, b},
                                op == std::string("Mod") ? std::vector<CorpusAttribute>{{"fmod", 1}}
                                                         : std::vector<CorpusAttribute>{})
                         .Variable(2));
  }
  for (const char* const op : {"Add", "Div", "Mul", "Sub", "Pow"}) {
    nodes->push_back(CorpusNode(op, 6, {a, F32({2}, {1, 2})}, {{"broadcast", 1}, {"axis", 0}}).Variable(2));
  }
  nodes->push_back(CorpusNode("PRelu", 6, {a, F32({1}, {0.5})}).Variable(2));
  for (const char* const op : {"Max", "Min", "Mean", "Sum"}) {
    nodes->push_back(CorpusNode(op, 7, {a, a, a}).Variable(3));
  }
  for (const char* const op : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}) {
    nodes->push_back(CorpusNode(op, kNewest, {a, b}, {}, {kBool}).Variable(2));
  }
  for (const char* const op : {"Equal", "Greater", "Less"}) {
    nodes->push_back(CorpusNode(op, 6, {I32({2}, {1, 2}), I32({1}, {2})}, {{"broadcast", 1}}, {kBool}).Variable(2));
  }
  for (const char* const op : {"And", "Or", "Xor"}) {
    nodes->push_back(CorpusNode(op, kNewest, {Bool({2}, {1, 0}), Bool({1}, {1})}, {}, {kBool}).Variable(2));
    nodes->push_back(CorpusNode(op, 6, {Bool({2}, {1, 0}), Bool({1}, {1})}, {{"broadcast", 1}}, {kBool}).Variable(2));
  }
  for (const char* const op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"}) {
    nodes->push_back(CorpusNode(op, kNewest, {U8({2}, {1, 7}), U8({1}, {3})}, {}, {kUint8}).Variable(2));
  }
  nodes->push_back(
      CorpusNode("BitShift", kNewest, {U8({2}, {1, 7}), U8({2}, {3, 1})}, {{"direction", "LEFT"}}, {kUint8})
          .Variable(2));
  nodes->push_back(CorpusNode("Where", kNewest, {Bool({3}, {1, 0, 1}), a, b}).Variable(3));
}

void AddReductions(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const char* const op : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
                               "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
    nodes->push_back(CorpusNode(op, kNewest, {x, I64({1}, {-1})}));
    nodes->push_back(CorpusNode(op, 11, {x}, {{"axes", std::vector<int64_t>{0}}, {"keepdims", 0}}));
    nodes->push_back(CorpusNode(op, 17, {x}, {{"keepdims", 0}}));
  }
  for (const char* const op : {"ArgMax", "ArgMin"}) {
    nodes->push_back(CorpusNode(op, kNewest, {x}, {{"axis", -1}, {"select_last_index", 1}}, {kInt64}));
    nodes->push_back(CorpusNode(op, 11, {x}, {{"axis", 1}, {"keepdims", 0}}, {kInt64}));
  }
  for (const char* const op : {"Softmax", "LogSoftmax", "Hardmax"}) {
    nodes->push_back(CorpusNode(op, kNewest, {x}, {{"axis", -1}}));
    nodes->push_back(CorpusNode(op, 11, {x}));
  }
  nodes->push_back(CorpusNode("CumSum", kNewest, {x, I64({}, {1})}, {{"reverse", 1}}));
  nodes->push_back(CorpusNode("CumProd", kNewest, {x, I64({}, {1})}, {{"exclusive", 1}}));
}

void AddNormalizations(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({1, 2, 3});
  const ir::Tensor two = F32({2}, {1, 2});
  const std::vector<ir::Tensor> batch = {x, two, two, two, two};
  nodes->push_back(CorpusNode("BatchNormalization", kNewest, batch));
  nodes->push_back(CorpusNode("BatchNormalization", 6, batch, {{"is_test", 1}, {"spatial", 1}}));
  nodes->push_back(
      CorpusNode("BatchNormalization", 5, batch,
                 {{"is_test", 1}, {"spatial", 1}, {"consumed_inputs", std::vector<int64_t>{0, 0, 0, 1, 1}}}));
  nodes->push_back(CorpusNode("InstanceNormalization", kNewest, {x, two, two}, {{"epsilon", 0.5}}));
  nodes->push_back(CorpusNode("GroupNormalization", kNewest, {x, two, two}, {{"num_groups", 2}}));
  nodes->push_back(CorpusNode("GroupNormalization", 20, {x, F32({1}, {1}), F32({1}, {1})}, {{"num_groups", 1}}));
  nodes->push_back(CorpusNode("LayerNormalization", kNewest, {x, F32({3}, {1, 2, 3}), F32({3}, {1, 0, 1})}, {},
                              {kFloat, kFloat, kFloat}));
  nodes->push_back(CorpusNode("RMSNormalization", kNewest, {x, F32({3}, {1, 2, 3})}));
  nodes->push_back(CorpusNode("SimplifiedLayerNormalization", kNewest, {x, F32({3}, {1, 2, 3})}));
  nodes->push_back(CorpusNode("LpNormalization", kNewest, {x}, {{"p", 1}, {"axis", 1}}));
  nodes->push_back(CorpusNode("LRN", kNewest, {x}, {{"size", 3}, {"alpha", 0.5}}));
  nodes->push_back(CorpusNode("MeanVarianceNormalization", kNewest, {Ascending({1, 2, 2, 2})}));
  const ir::Tensor labels = I64({2}, {1, 0});
  nodes->push_back(CorpusNode("NegativeLogLikelihoodLoss", kNewest, {F32({2, 2}, {-1, -2, -3, -4}), labels}));
  nodes->push_back(
      CorpusNode("SoftmaxCrossEntropyLoss", kNewest, {F32({2, 2}, {1, 2, 3, 4}), labels}, {}, {kFloat, kFloat}));
}

}  // namespace

std::vector<SingleNode> ElementwiseCorpus() {
  std::vector<SingleNode> nodes;
  AddUnary(&nodes);
  AddBinary(&nodes);
  AddReductions(&nodes);
  AddNormalizations(&nodes);
  return nodes;
}

}  // namespace burin::onnx

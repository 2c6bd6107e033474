#include "runtime/readers/onnx/corpus/movement_corpus_testlib.h"

#include <cstdint>
#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/corpus/corpus_node_testlib.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::onnx {
namespace {

using ir::Bool;
using ir::F32;
using ir::I32;
using ir::I64;

using Ints = std::vector<int64_t>;

constexpr int64_t kNewest = kNewestOpset;

void AddShapes(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({1, 2, 3});
  nodes->push_back(CorpusNode("Shape", kNewest, {x}, {{"start", 0}, {"end", 2}}, {kInt64}));
  nodes->push_back(CorpusNode("Shape", 13, {x}, {}, {kInt64}));
  nodes->push_back(CorpusNode("Size", kNewest, {x}, {}, {kInt64}));
  nodes->push_back(CorpusNode("Reshape", kNewest, {x, I64({2}, {0, -1})}));
  nodes->push_back(CorpusNode("Reshape", 4, {x}, {{"shape", Ints{3, 2}}}));
  nodes->push_back(CorpusNode("Flatten", kNewest, {x}, {{"axis", 2}}));
  nodes->push_back(CorpusNode("Squeeze", kNewest, {x, I64({1}, {0})}));
  nodes->push_back(CorpusNode("Squeeze", 12, {x}, {{"axes", Ints{0}}}));
  nodes->push_back(CorpusNode("Unsqueeze", kNewest, {x, I64({1}, {-1})}));
  nodes->push_back(CorpusNode("Unsqueeze", 12, {x}, {{"axes", Ints{0, 4}}}));
  nodes->push_back(CorpusNode("Transpose", kNewest, {x}, {{"perm", Ints{2, 0, 1}}}));
  nodes->push_back(CorpusNode("Expand", kNewest, {x, I64({3}, {2, 2, 1})}));
  nodes->push_back(CorpusNode("Constant", kNewest, {}, {{"value", F32({2}, {1, 2})}}));
  nodes->push_back(CorpusNode("ConstantOfShape", kNewest, {I64({2}, {1, 2})}, {{"value", F32({1}, {7})}}));
  nodes->push_back(CorpusNode("Range", kNewest, {I64({}, {1}), I64({}, {7}), I64({}, {3})}, {}, {kInt64}).Variable(3));
  nodes->push_back(CorpusNode("EyeLike", kNewest, {F32({2, 3}, {0, 0, 0, 0, 0, 0})}, {{"k", 1}}));
}

void AddMovements(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({2, 3});
  nodes->push_back(CorpusNode("Concat", kNewest, {x, x}, {{"axis", 1}}).Variable(2));
  nodes->push_back(CorpusNode("Concat", 3, {x, x}).Variable(2));
  nodes->push_back(CorpusNode("Slice", kNewest, {x, I64({1}, {-1}), I64({1}, {-9}), I64({1}, {1}), I64({1}, {-2})}));
  nodes->push_back(CorpusNode("Slice", 9, {x}, {{"starts", Ints{1}}, {"ends", Ints{3}}, {"axes", Ints{1}}}));
  nodes->push_back(CorpusNode("Split", kNewest, {x, I64({2}, {1, 2})}, {{"axis", 1}}, {kFloat, kFloat}));
  nodes->push_back(CorpusNode("Split", kNewest, {x}, {{"num_outputs", 2}}, {kFloat, kFloat}));
  nodes->push_back(CorpusNode("Split", 12, {x}, {{"axis", 1}, {"split", Ints{1, 2}}}, {kFloat, kFloat}));
  nodes->push_back(CorpusNode("Pad", kNewest, {x, I64({2}, {1, 2}), F32({}, {9}), I64({1}, {1})}));
  nodes->push_back(CorpusNode("Pad", 17, {x, I64({4}, {0, 1, 0, 1})}, {{"mode", "reflect"}}));
  nodes->push_back(CorpusNode("Pad", 10, {x}, {{"pads", Ints{0, 1, 0, 1}}, {"value", 9.0}}));
  nodes->push_back(CorpusNode("Pad", 1, {x}, {{"paddings", Ints{0, 1, 0, 1}}, {"value", 9.0}}));
  nodes->push_back(CorpusNode("Tile", kNewest, {x, I64({2}, {2, 1})}));
  nodes->push_back(CorpusNode("Tile", 5, {x, I64({1}, {2}), I64({1}, {1})}));
  nodes->push_back(CorpusNode("TfIdfVectorizer", kNewest, {I64({3}, {2, 5, 4})},
                              {{"mode", "TF"},
                               {"min_gram_length", 1},
                               {"max_gram_length", 2},
                               {"max_skip_count", 1},
                               {"ngram_counts", Ints{0, 1}},
                               {"ngram_indexes", Ints{1, 0}},
                               {"pool_int64s", Ints{2, 5, 4}}}));
  nodes->push_back(CorpusNode("Trilu", kNewest, {x, I64({}, {1})}, {{"upper", 0}}));
  nodes->push_back(CorpusNode("CenterCropPad", kNewest, {x, I64({2}, {1, 5})}));
  nodes->push_back(
      CorpusNode("ReverseSequence", kNewest, {x, I64({2}, {2, 1})}, {{"batch_axis", 0}, {"time_axis", 1}}));
  nodes->push_back(CorpusNode("DepthToSpace", kNewest, {Ascending({1, 4, 1, 1})}, {{"blocksize", 2}}));
  nodes->push_back(CorpusNode("SpaceToDepth", kNewest, {Ascending({1, 1, 2, 2})}, {{"blocksize", 2}}));
  nodes->push_back(CorpusNode("Col2Im", kNewest, {Ascending({1, 2, 2}), I64({2}, {1, 3}), I64({2}, {1, 2})}));
}

void AddIndexing(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = Ascending({2, 2});
  nodes->push_back(CorpusNode("Gather", kNewest, {x, I64({1}, {-1})}, {{"axis", 1}}).Variable(2));
  nodes->push_back(CorpusNode("GatherElements", kNewest, {x, I64({2, 1}, {1, 0})}, {{"axis", 1}}).Variable(2));
  nodes->push_back(CorpusNode("GatherND", kNewest, {x, I64({2, 2}, {0, 1, 1, 0})}).Variable(2));
  const ir::Tensor places = I64({1, 2}, {1, 0});
  const ir::Tensor updates = F32({1, 2}, {10, 20});
  nodes->push_back(CorpusNode("ScatterElements", kNewest, {x, places, updates}, {{"reduction", "add"}}).Variable(3));
  nodes->push_back(CorpusNode("ScatterElements", 15, {x, places, updates}).Variable(3));
  for (const int64_t opset : {10, 11}) {
    nodes->push_back(CorpusNode("Scatter", opset, {x, places, updates}).Variable(3));
  }
  nodes->push_back(
      CorpusNode("ScatterND", kNewest, {x, I64({1, 1}, {1}), updates}, {{"reduction", "max"}}).Variable(3));
  nodes->push_back(CorpusNode("ScatterND", 15, {x, I64({1, 1}, {1}), updates}).Variable(3));
  nodes->push_back(
      CorpusNode("TensorScatter", kNewest, {Ascending({2, 3, 1}), Ascending({2, 2, 1}), I64({2}, {1, 0})}));
  nodes->push_back(CorpusNode("OneHot", kNewest, {I64({3}, {0, 2, 1}), I64({1}, {3}), F32({2}, {0, 2})}));
  nodes->push_back(CorpusNode("NonZero", kNewest, {F32({2, 2}, {0, 5, 6, 0})}, {}, {kInt64}));
  nodes->push_back(CorpusNode("Unique", kNewest, {F32({4}, {3, 1, 3, 2})}, {}, {kFloat, kInt64, kInt64, kInt64}));
  nodes->push_back(CorpusNode("Compress", kNewest, {x, Bool({2}, {0, 1})}, {{"axis", 1}}).Variable(2));
  nodes->push_back(CorpusNode("TopK", kNewest, {Ascending({2, 3}), I64({1}, {2})}, {}, {kFloat, kInt64}));
  nodes->push_back(CorpusNode("TopK", 9, {Ascending({2, 3})}, {{"k", 2}, {"axis", 1}}, {kFloat, kInt64}));
  nodes->push_back(
      CorpusNode("NonMaxSuppression", kNewest,
                 {F32({1, 2, 4}, {0, 0, 1, 4, 0, 1, 1, 5}), F32({1, 1, 2}, {0.5, 0.75}), I64({}, {9}), F32({}, {0.5})},
                 {}, {kInt64})
          .Variable(2));
}

void AddRandomNumbers(std::vector<SingleNode>* nodes) {
  const ir::Tensor x = F32({2, 2}, {0.25, 0.5, 0.5, 0.75});
  nodes->push_back(CorpusNode("RandomUniform", kNewest, {}, {{"shape", Ints{2, 2}}, {"seed", 1.0}}));
  nodes->push_back(CorpusNode("RandomNormal", kNewest, {}, {{"shape", Ints{2, 2}}, {"seed", 1.0}}));
  nodes->push_back(CorpusNode("RandomUniformLike", kNewest, {x}, {{"seed", 1.0}}));
  nodes->push_back(CorpusNode("RandomNormalLike", kNewest, {x}, {{"seed", 1.0}, {"scale", 0.5}}));
  nodes->push_back(CorpusNode("Bernoulli", kNewest, {x}, {{"seed", 1.0}}));
  nodes->push_back(CorpusNode("Multinomial", kNewest, {x}, {{"sample_size", 2}, {"seed", 1.0}}, {kInt32}));
}

// The names that FileOf gives to inputs: in0, in1, ... A body may read them too.
void AddBodies(std::vector<SingleNode>* nodes) {
  nodes->push_back(SingleNode("If", kNewest).Inputs({Bool({}, {1})}).Outputs({kBool}).With([](::onnx::NodeProto& node) {
    for (const char* const name : {"then_branch", "else_branch"}) {
      ::onnx::GraphProto& branch = AddGraph(node, name);
      AddNode(branch, name[0] == 't' ? "Not" : "Identity", {"in0"}, {"y"});
      branch.add_output()->set_name("y");
    }
  }));
  nodes->push_back(SingleNode("Loop", kNewest)
                       .Inputs({I64({}, {3}), ir::Tensor(), F32({2}, {1, 2})})
                       .Variable(3)
                       .Outputs({kFloat, kFloat})
                       .With([](::onnx::NodeProto& node) {
                         ::onnx::GraphProto& body = AddGraph(node, "body");
                         SetTensorType(*body.add_input(), "i", kInt64, {});
                         SetTensorType(*body.add_input(), "go", kBool, {});
                         SetTensorType(*body.add_input(), "v", kFloat, {2});
                         AddNode(body, "Identity", {"go"}, {"go_on"});
                         AddNode(body, "Add", {"v", "in2"}, {"next"});
                         AddNode(body, "Neg", {"v"}, {"item"});
                         for (const char* const name : {"go_on", "next", "item"}) body.add_output()->set_name(name);
                       }));
  const auto scan = [](::onnx::NodeProto& node) {
    SetInt(node, "num_scan_inputs", 1);
    ::onnx::GraphProto& body = AddGraph(node, "body");
    SetTensorType(*body.add_input(), "sum", kFloat, {2});
    SetTensorType(*body.add_input(), "item", kFloat, {2});
    AddNode(body, "Add", {"sum", "item"}, {"next"});
    AddNode(body, "Identity", {"next"}, {"kept"});
    body.add_output()->set_name("next");
    body.add_output()->set_name("kept");
  };
  nodes->push_back(SingleNode("Scan", kNewest)
                       .Inputs({F32({2}, {0, 1}), Ascending({3, 2})})
                       .Variable(2)
                       .Outputs({kFloat, kFloat})
                       .With(scan));
  nodes->push_back(SingleNode("Scan", 8)
                       .Inputs({ir::Tensor(), F32({1, 2}, {0, 1}), Ascending({1, 3, 2})})
                       .Variable(3)
                       .Outputs({kFloat, kFloat})
                       .With(scan));
}

}  // namespace

std::vector<SingleNode> MovementCorpus() {
  std::vector<SingleNode> nodes;
  AddShapes(&nodes);
  AddMovements(&nodes);
  AddIndexing(&nodes);
  AddRandomNumbers(&nodes);
  AddBodies(&nodes);
  return nodes;
}

}  // namespace burin::onnx

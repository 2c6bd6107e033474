#include "runtime/readers/onnx/corpus/operator_corpus_testlib.h"

#include <cstdint>
#include <utility>

#include "runtime/readers/onnx/corpus/elementwise_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/microsoft_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/movement_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/product_corpus_testlib.h"
#include "runtime/readers/onnx/opset_table.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

std::vector<SingleNode> OperatorCorpus() {
  std::vector<SingleNode> nodes;
  for (std::vector<SingleNode> (*const part)() :
       {&ElementwiseCorpus, &MovementCorpus, &ProductCorpus, &MicrosoftCorpus}) {
    for (SingleNode& node : part()) nodes.push_back(std::move(node));
  }
  return nodes;
}

bool Reads(const SingleNode& node) { return ReadBytes(FileOf(node)).ok(); }

std::vector<SingleNode> ReadableCorpus() {
  std::vector<SingleNode> files;
  for (const SingleNode& form : OperatorCorpus()) {
    if (FindTranslator(form.domain, form.op) == nullptr) continue;
    files.push_back(form);
    if (!form.domain.empty()) continue;
    SingleNode older = form;
    for (int64_t version = SchemaVersion(form.op, form.opset); version > 0;
         version = SchemaVersion(form.op, version - 1)) {
      older.opset = version;
      if (version < form.opset && Reads(older)) files.push_back(older);
    }
  }
  return files;
}

}  // namespace burin::onnx

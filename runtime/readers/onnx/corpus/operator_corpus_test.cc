#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/readers/onnx/corpus/container_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/operator_corpus_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "runtime/readers/onnx/opset_table.h"
#include "runtime/readers/onnx/translators.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::IsEmpty;

using Name = std::pair<std::string, std::string>;

TEST(OperatorCorpusTest, EveryTranslatedOperatorIsInIt) {
  std::set<Name> has;
  for (const SingleNode& node : OperatorCorpus()) has.emplace(node.domain, node.op);
  for (const ContainerFile& file : ContainerCorpus()) {
    for (const std::string& op : file.ops) has.emplace("", op);
  }
  std::vector<std::string> missing;
  for (const TranslatorEntry& entry : AllTranslators()) {
    const Name name = {std::string(entry.domain), std::string(entry.op)};
    if (has.count(name) == 0) missing.push_back(absl::StrCat(entry.domain, ":", entry.op));
  }
  EXPECT_THAT(missing, IsEmpty()) << "add forms to a file of runtime/readers/onnx/corpus";
}

TEST(OperatorCorpusTest, EveryFormOfATranslatedOperatorReads) {
  for (const SingleNode& node : OperatorCorpus()) {
    if (FindTranslator(node.domain, node.op) == nullptr) continue;
    EXPECT_OK(ReadBytes(FileOf(node)).status()) << node.op << " of opset " << node.opset;
  }
  for (const ContainerFile& file : ContainerCorpus()) {
    EXPECT_OK(ReadBytes(file.bytes).status()) << file.ops[0] << " of opset " << file.opset;
  }
}

TEST(OperatorCorpusTest, EveryVersionOfATranslatedOperatorReadsInSomeForm) {
  std::map<std::string, std::set<int64_t>> read;
  for (const SingleNode& node : ReadableCorpus()) {
    if (node.domain.empty()) read[node.op].insert(SchemaVersion(node.op, node.opset));
  }
  for (const ContainerFile& file : ContainerCorpus()) {
    for (const std::string& op : file.ops) read[op].insert(SchemaVersion(op, file.opset));
  }
  for (const auto& [op, versions] : read) {
    for (const int64_t version : SchemaVersions(op)) {
      EXPECT_EQ(versions.count(version), 1u) << op << " of opset " << version;
    }
  }
}

}  // namespace
}  // namespace burin::onnx

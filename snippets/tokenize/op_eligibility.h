// Says of each operation of a model whether it can be in a Subgraph, and what
// it iterates over.
//
// Use it once per model graph; like operations on like shapes are looked at
// once. Not thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_OP_ELIGIBILITY_H_
#define BURIN_SNIPPETS_TOKENIZE_OP_ELIGIBILITY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "base/hash.h"
#include "ir/model.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/iteration_space.h"

namespace burin::snippets {

enum class OpRole : uint8_t {
  // It stays outside.
  kOutside,
  // It computes something, and can be a Subgraph by itself.
  kCompute,
  // It moves elements, and can be in the Subgraph of what reads it: for a
  // kernel that is another way to read memory.
  kView,
  // It joins elements, and can be in the Subgraph of what it reads: a kernel
  // writes its output in pieces.
  kTail,
  // It moves elements, and may be in the Subgraph of what reads it depending on
  // how that reads it.
  kConditional,
  // It is a dense anchor (snippets/anchor), and can be in the Subgraph of what
  // reads it; without one it stays as it is.
  kAnchor,
};

// Is the answer for one node.
struct OpEligibility {
  OpRole role = OpRole::kOutside;
  // Of all but kOutside and kConditional.
  IterationSpace space;
  // Why it stays outside, or what that depends on; empty where it goes without
  // saying.
  std::string reason;
};

class EligibilityTest {
 public:
  // `order` is a topological order of the model. The model and `checked`, whose epilogues are not compiled again,
  // outlive this. Without `dense_anchors` there is nothing of the role kAnchor.
  EligibilityTest(const ir::Model& model, absl::Span<const ir::NodeId> order, CheckedEpilogues* checked,
                  bool dense_anchors = false);

  // Asks the code that compiles bodies about a body of this node alone
  // (legality.h).
  OpEligibility Of(const ir::Node& node);

 private:
  struct Verdict {
    OpRole role = OpRole::kOutside;
    BodySpace space;
    std::string reason;
  };

  Verdict Judge(const ir::Node& node);
  Verdict JudgeAnchor(const ir::Node& node);
  bool IsDenseAnchor(const ir::Node& node) const;
  Hash128 KeyOf(const ir::Node& node) const;

  const ir::Model& model_;
  CheckedEpilogues& checked_;
  const bool dense_anchors_;
  // By node id.
  const std::vector<bool> gives_shapes_;
  absl::flat_hash_map<Hash128, std::shared_ptr<const Verdict>> verdicts_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_OP_ELIGIBILITY_H_

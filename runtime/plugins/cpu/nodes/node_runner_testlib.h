// Runs a node of a one-operation model on random inputs and compares with the operation's reference.
//
// For tests of nodes. Used by one thread.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_NODE_RUNNER_TESTLIB_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_NODE_RUNNER_TESTLIB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Returns what nodes are prepared for on this machine.
NodeContext HostContext(int threads);

// Returns the model of the text, which must be one.
std::unique_ptr<ir::Model> ParseOrDie(absl::string_view text);

// Returns the one node of `model` that computes something.
const ir::Node& OnlyNode(const ir::Model& model);

// Expects that the node of `text`, a model of one operation and its parameters and constants, made by MakeNode(), has
// the type `type_name` and gives what the reference gives: exactly, or within `relative` of the largest magnitude; with
// teams of 1 and 3 threads to the bit the same. Only a Reference node may have no kernel.
void ExpectNode(absl::string_view text, const std::string& type_name, double relative = 0);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_NODE_RUNNER_TESTLIB_H_

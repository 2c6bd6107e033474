// Is another library that does the same work, to compare with.
//
// One file a library (tools/peers), so that a library's headers are seen by that file alone. A peer runs in the thread
// that calls it and starts no other. Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_PEER_H_
#define BURIN_TOOLS_KERNEL_BENCH_PEER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::kernel_bench {

// Is what a peer is asked to do: a function of each float, or a transposition of floats.
struct PeerWork {
  // What is read and what is written; the same sizes in every copy.
  struct Buffers {
    const float* in = nullptr;
    float* out = nullptr;
  };

  // A name of jit/emitters/catalogue.h, or "Transpose".
  std::string function;
  // Of the input.
  std::vector<int64_t> dims;
  // Of "Transpose": dimension i of the output is dimension permutation[i] of the input.
  std::vector<int> permutation;
  // At least one; they outlive what the peer returns.
  std::vector<Buffers> copies;
};

// Is a graph of ONNX operators that a peer is asked to run as well as it can, on floats.
struct PeerGraph {
  struct Tensor {
    std::string name;
    std::vector<int64_t> dims;
  };

  struct Constant {
    std::string name;
    std::vector<int64_t> dims;
    std::vector<float> values;
  };

  struct Attribute {
    std::string name;
    std::variant<int64_t, float, std::string, std::vector<int64_t>> value;
  };

  // Is an operator; the domain "" is that of ONNX itself.
  struct Node {
    std::string domain;
    std::string type;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<Attribute> attributes;
  };

  // Is the memory of the inputs and outputs, in their order.
  struct Buffers {
    std::vector<const float*> in;
    std::vector<float*> out;
  };

  // Tells graphs apart that compute the same.
  std::string variant;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<Constant> constants;
  std::vector<Node> nodes;
  // At least one; they outlive what the peer returns.
  std::vector<Buffers> copies;
};

// Is what a peer does it with.
struct PeerContender {
  // Tells the peer's contenders apart; "" where there is one.
  std::string variant;
  // The name that the library has for it; "" where it does not say.
  std::string implementation;
  // What is inside the timed region besides the work.
  std::string timed;
  // Does the work once on each of the copies.
  std::vector<std::function<void()>> calls;
  // Brings the result of the first copy to its buffer, where the library has it in a form of its own; may be empty.
  // Never timed.
  std::function<void()> finish;
};

// Is the library.
class Peer {
 public:
  virtual ~Peer() = default;

  // Returns its name, and the version that it says it has.
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // Returns who does `work`: none where the library has no such function. Fails where the library does.
  virtual absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) = 0;

  // Returns who runs `graph`: none where the library does not run graphs, or has nothing for this one. The inputs have
  // their values, which a library may bring into a form of its own ahead. Fails where the library does.
  virtual absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& /*graph*/) {
    return std::vector<PeerContender>();
  }
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_PEER_H_

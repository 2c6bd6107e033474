// What a network is written in: a small vocabulary of operations, behind which an ir::Model or an ONNX file arises.
//
// A network is described once, as calls on this interface; `IrBuilder` and `OnnxBuilder` turn the calls into one form
// each. The vocabulary has what the networks of this folder need and is not meant to grow into a second ir/. Errors
// stick: after the first one every call does nothing and returns no value, and Finish() of the concrete builder reports
// it, so that a network's text has no error handling. Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_NETWORK_BUILDER_H_
#define BURIN_TOOLS_MODELS_NETWORK_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::models {

// One value of a network under construction; meaningful to the builder that returned it alone.
struct Value {
  int32_t index = -1;
};

enum class UnaryOp { kCos, kErf, kNegative, kRelu, kSigmoid, kSin, kSqrt, kTanh };
enum class BinaryOp { kAdd, kAnd, kDivide, kLessOrEqual, kMultiply, kSubtract };

// A two-dimensional window, the same along both axes.
struct Window {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;  // On each side.
};

class NetworkBuilder {
 public:
  virtual ~NetworkBuilder() = default;
  NetworkBuilder(const NetworkBuilder&) = delete;
  NetworkBuilder& operator=(const NetworkBuilder&) = delete;

  // Names the nodes made while it lives "scope/...": what profiles print.
  class Scope {
   public:
    Scope(NetworkBuilder* builder, absl::string_view name);
    ~Scope() { builder_->prefix_.resize(outer_size_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    NetworkBuilder* const builder_;
    const size_t outer_size_;
  };

  // ---- The signature ----

  virtual Value Input(const std::string& name, ElementType type, const ir::Shape& shape) = 0;
  virtual void Output(Value x, const std::string& name, ElementType type, const ir::Shape& shape) = 0;

  // ---- Constants ----

  // Takes a tensor, or the error of making it. The name is unique within the scope.
  virtual Value Constant(absl::StatusOr<ir::Tensor> tensor, absl::string_view name) = 0;
  Value Scalar(float value);
  Value Scalar64(int64_t value);                       // An i64 scalar.
  Value Integers(const std::vector<int64_t>& values);  // An i64 vector.

  // ---- Element-wise, with NumPy's broadcasting ----

  virtual Value Unary(UnaryOp op, Value x) = 0;
  virtual Value Binary(BinaryOp op, Value a, Value b) = 0;
  virtual Value Clip(Value x, float low, float high) = 0;
  virtual Value Select(Value condition, Value a, Value b) = 0;
  virtual Value Convert(Value x, ElementType type) = 0;

  // ---- Dense ----

  // Convolves x[N,C,H,W] with weights[O,C/groups,k,k] and adds bias[O]; channels are in `groups` equal groups. The two
  // tensors become constants "weight" and "bias" of the scope.
  virtual Value Convolution(Value x, absl::StatusOr<ir::Tensor> weights, absl::StatusOr<ir::Tensor> bias,
                            const Window& window, int64_t groups) = 0;
  virtual Value MatMul(Value a, Value b) = 0;

  // ---- Windows, reductions, normalisation ----

  virtual Value MaxPool(Value x, const Window& window) = 0;
  virtual Value GlobalAveragePool(Value x) = 0;   // [N,C,H,W] to [N,C,1,1].
  virtual Value Mean(Value x, int64_t axis) = 0;  // Keeps the axis, with size 1.
  virtual Value Softmax(Value x, int64_t axis) = 0;
  // Normalises along the last axis, which `scale` and `bias` have.
  virtual Value LayerNorm(Value x, Value scale, Value bias, float epsilon) = 0;
  virtual Value CumSum(Value x, int64_t axis) = 0;

  // ---- Movement ----

  // A 0 in `pattern` keeps the dimension at that place, a -1 takes what is left.
  virtual Value Reshape(Value x, const std::vector<int64_t>& pattern) = 0;
  virtual Value Transpose(Value x, const std::vector<int64_t>& order) = 0;
  virtual Value Unsqueeze(Value x, const std::vector<int64_t>& axes) = 0;
  virtual Value Concat(const std::vector<Value>& values, int64_t axis) = 0;
  virtual Value Slice(Value x, int64_t axis, int64_t begin, int64_t end) = 0;
  virtual Value Gather(Value table, Value indices, int64_t axis) = 0;
  virtual Value ShapeOf(Value x) = 0;  // An i64 vector.
  // Stretches dimensions of 1 on either side: x's to `shape`, an i64 vector, and that one's to x.
  virtual Value Expand(Value x, Value shape) = 0;

  // ---- Errors ----

  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }
  // Records the first error; later ones follow from it.
  void Fail(const absl::Status& status);

 protected:
  NetworkBuilder() = default;

  // Returns "scope/name".
  std::string Scoped(absl::string_view name) const;
  // Returns "op_N" with a number that no other name has.
  std::string Numbered(absl::string_view op);

 private:
  absl::Status status_;
  std::string prefix_;
  int64_t names_ = 0;
};

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_NETWORK_BUILDER_H_

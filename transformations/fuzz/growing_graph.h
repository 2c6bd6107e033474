// A random model while it is being built: sources of random values, and nodes that are known to run.
//
// Every value has a witness: the tensor that it is for one set of inputs, computed as the node is added. Whoever grows
// the graph therefore knows real shapes where the model may have none, makes operands that fit them, and is told at
// once where an operation refuses: such a node is not added, and the answer is Value::None(). A call that gets such a
// value answers with it too, so that a chain of calls needs one look at its end. For the fuzzer alone. Not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_GROWING_GRAPH_H_
#define BURIN_TRANSFORMATIONS_FUZZ_GROWING_GRAPH_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/fuzz/attribute_values.h"

namespace burin::transformations {

class GrowingGraph;

// Adds a few nodes to a graph: an operation with operands that fit it, or a motif, the small sub-graph that exporters
// write again and again.
struct Grower {
  const char* name;
  void (*grow)(GrowingGraph& graph);
  int weight = 1;  // How often it is drawn, in proportion to the others.
};

// What a graph may hold.
struct GraphStyle {
  // The one float type of the graph; kUndefined: all of them.
  ElementType float_type = ElementType::kUndefined;
  // Where positive, nodes whose floats are larger (or not finite) are not added, so that rounding shows as rounding.
  double largest_magnitude = 0;
};

// Which element types a value may have.
enum class Types : uint8_t { kAny, kNumeric, kFloat, kInteger, kBoolean, kIndex };

class GrowingGraph {
 public:
  // `random` and `growers` outlive the graph. `depth` says how many graphs this one is a body in.
  GrowingGraph(std::mt19937_64& random, absl::Span<const Grower> growers, const GraphStyle& style, int depth = 0);

  // ---- Choice ----

  // Return a number of [0, limit), a number of [low, high], and true once in `n` times.
  int64_t Below(int64_t limit);
  int64_t Between(int64_t low, int64_t high) { return low + Below(high - low + 1); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  // Returns one of the values.
  template <class T>
  T AnyOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int64_t>(values.size()))];
  }
  ElementType AnyType(Types types);
  // Returns a size for a dimension; few in one graph, so that unrelated ones agree. 0 is rare.
  int64_t AnySize();
  ir::Shape AnyShape(int64_t min_rank, int64_t max_rank);
  // Returns an axis of [0, rank), or the same axis counted from the end.
  int64_t AnyAxis(int64_t rank);
  // Returns different axes of [0, rank) in any order, from `least` to all of them.
  std::vector<int64_t> AnyAxes(int64_t rank, int64_t least = 0);
  std::vector<int64_t> AnyOrder(int64_t rank);

  // ---- Sources ----

  // Adds a parameter whose witness has that shape; its dimensions may be known less.
  ir::Value Parameter(ElementType type, const ir::Shape& shape);
  // As Parameter, with the declared shape and the witness given.
  ir::Value Parameter(ir::PartialShape declared, ir::Tensor witness);
  ir::Value Constant(ir::Tensor tensor);
  // Adds a constant of random elements.
  ir::Value Constant(ElementType type, const ir::Shape& shape);
  // Adds a constant that has this value everywhere.
  ir::Value Filled(ElementType type, const ir::Shape& shape, double value);
  ir::Value Scalar(ElementType type, double value) { return Filled(type, {}, value); }
  // Returns a list of integers, or one, of type i64 or i32: mostly a constant, at times something that comes down to
  // one, at times a parameter.
  ir::Value Ints(const std::vector<int64_t>& values);
  ir::Value Int(int64_t value);
  // Returns a constant of an exact type: the same list or number without disguise.
  ir::Value PlainInts(const std::vector<int64_t>& values, ElementType type = ElementType::kI64);
  ir::Value PlainInt(int64_t value, ElementType type = ElementType::kI64);

  // ---- Values that are there, or made where there is none ----

  ir::Value Pick(Types types, int64_t min_rank = 0, int64_t max_rank = 4);
  // Returns a value of that type and witness shape.
  ir::Value Like(ElementType type, const ir::Shape& shape);
  // Returns a value of the same type whose shape broadcasts with that of `value`.
  ir::Value Operand(ir::Value value);
  // Returns weights of that type and shape: mostly a constant, at times a conversion or dequantisation of one.
  ir::Value Weights(ElementType type, const ir::Shape& shape);

  // ---- Nodes ----

  // Adds a node with one output, or answers with its first one.
  ir::Value Add(absl::string_view op, const std::vector<ir::Value>& inputs,
                const std::vector<AttributeValue>& attributes = {});
  // Returns all outputs; empty where the node is refused.
  std::vector<ir::Value> AddAll(absl::string_view op, const std::vector<ir::Value>& inputs,
                                const std::vector<AttributeValue>& attributes = {},
                                std::vector<std::unique_ptr<ir::Model>> bodies = {});
  // Adds a variable of that id.
  void AddVariable(const std::string& id);
  // Lets `count` growers work.
  void Grow(int count);
  // Returns a graph for a body of a node of this one.
  GrowingGraph Body() const { return GrowingGraph(random_, growers_, style_, depth_ + 1); }
  int depth() const { return depth_; }

  // ---- What is known of a value ----

  // The following answer for Value::None() too, as if it were one f32.
  ir::Tensor Witness(ir::Value value) const;
  ir::Shape ShapeOf(ir::Value value) const { return Witness(value).shape(); }
  int64_t RankOf(ir::Value value) const { return static_cast<int64_t>(ShapeOf(value).size()); }
  ElementType TypeOf(ir::Value value) const { return Witness(value).element_type(); }
  int64_t SizeOf(ir::Value value, int64_t axis) const;

  // ---- The end ----

  // Makes a result of the value.
  void AddResult(ir::Value value);
  // Makes results of some values, mostly such that nobody reads.
  void AddResults();
  const ir::Model& model() const { return *model_; }
  const GraphStyle& style() const { return style_; }
  std::mt19937_64& random() const { return random_; }
  const std::vector<ir::Value>& values() const { return values_; }
  // Returns the witnesses of the parameters, in their order.
  std::vector<ir::Tensor> ParameterWitnesses() const;
  // Returns inputs of the witnesses' shapes with other elements, but for integers that shapes and indices depend on.
  std::vector<ir::Tensor> OtherInputs(bool special_floats) const;
  std::unique_ptr<ir::Model> TakeModel() { return std::move(model_); }

 private:
  ir::Tensor AnyTensor(ElementType type, const ir::Shape& shape) const;
  bool IsTame(const ir::Tensor& tensor) const;
  ir::Dimension AnyDimensionFor(int64_t size);
  void Keep(ir::Value value, ir::Tensor witness);

  std::mt19937_64& random_;
  const absl::Span<const Grower> growers_;
  const GraphStyle style_;
  const int depth_;
  std::vector<int64_t> sizes_;  // To draw from.
  std::unique_ptr<ir::Model> model_;
  std::vector<ir::Value> values_;
  absl::flat_hash_map<ir::Value, ir::Tensor> witnesses_;
  absl::flat_hash_set<ir::NodeId> fixed_;  // Parameters that keep their elements.
  ir::Tensor nothing_;                     // The witness of Value::None().
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_GROWING_GRAPH_H_

// Grows the body of a Subgraph at random, one operation after the other, with numbers that stay comparable.
//
// Use it as what a fuzzer draws operations into (drawn_elementwise.h, drawn_reductions.h). Every value's shape is that
// of the draft's space with some dimensions of extent 1, or leading ones left out, so that any two values broadcast;
// every value has a range that its elements lie in, so that an operation takes what it is defined on: by construction,
// where need be through a Clamp. Not thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_BODY_DRAFT_H_
#define BURIN_SNIPPETS_TESTING_BODY_DRAFT_H_

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/shape.h"
#include "snippets/testing/random_inputs.h"

namespace burin::snippets {

// Is a value of the draft. Ranges do not count infinities and NaN of the inputs.
struct DraftValue {
  ir::Value value;
  ElementType type = ElementType::kF32;
  ir::Shape shape;
  double low = 0;
  double high = 0;
  bool read = false;
  // Whether its dimensions are no longer those of the space: it can only become a result.
  bool at_edge = false;
};

// Names a value of the draft.
using DraftId = size_t;

class BodyDraft {
 public:
  // Says what a body is to be like.
  struct Style {
    // Whether inputs may hold infinities and NaN.
    bool special = false;
    // Whether nothing in it may depend on the extents of the space, but for axes that are fixed.
    bool dynamic = false;
  };

  // Starts a body over `space`.
  BodyDraft(ir::Shape space, Style style, uint64_t seed);

  std::mt19937_64& random() { return random_; }
  // Returns whether something happens that does so in `percent` of cases.
  bool Chance(int percent) { return random_() % 100 < static_cast<uint64_t>(percent); }
  // Returns a random number below `count`.
  size_t Below(size_t count) { return static_cast<size_t>(random_() % count); }
  // Returns a random element.
  template <class T>
  const T& Pick(absl::Span<const T> from) {
    return from[Below(from.size())];
  }

  const ir::Shape& space() const { return space_; }
  const Style& style() const { return style_; }
  const DraftValue& at(DraftId id) const { return values_[id]; }
  size_t size() const { return values_.size(); }
  const ir::Model& body() const { return *body_; }

  // Returns a value of that type: one of those that there are, preferably one that nothing reads yet, or a parameter or
  // constant made for it. Its range may be any.
  DraftId Operand(ElementType type);
  // As Operand, of the whole space.
  DraftId WholeOperand(ElementType type);
  // Returns a new parameter of the whole space, as it lies in memory.
  DraftId NewParameter(ElementType type, double low, double high);
  // As Operand, of exactly that shape, as a parameter or constant. With `fixed_axis`, the shape is that axis of the
  // space alone, and the axis becomes fixed; else its dimensions are the innermost ones of the space.
  DraftId NewOperand(ElementType type, const ir::Shape& shape, double low, double high, int fixed_axis = -1);
  // Returns a value with elements within [low, high]: the value itself, or it clamped.
  DraftId Fit(DraftId id, double low, double high);

  // Adds a constant with random elements in the range; of one element where it would be large, or have to be fixed.
  DraftId Constant(ElementType type, const ir::Shape& shape, double low, double high);
  // Adds a constant list of integers, of type i64 or i32, which is no operand.
  ir::Value Integers(const std::vector<int64_t>& values);

  // Adds an operation; `extra` are inputs behind the others that are not of the draft.
  DraftId Apply(const ir::OpDef& op, absl::Span<const DraftId> inputs, double low, double high,
                std::unique_ptr<ir::Attributes> attributes = nullptr, absl::Span<const ir::Value> extra = {});
  // Brings values that nothing reads together, until at most `most` are left: what does not meet has axes of its own.
  void Join(size_t most);
  // Says that the value can only become a result.
  void MoveToEdge(DraftId id) { values_[id].at_edge = true; }

  // Makes a result of every value that nothing reads, as far as a kernel has axes for them, and of some others,
  // transposed and reshaped now and then, and gives the body away with the range of each parameter.
  std::unique_ptr<ir::Model> Finish(std::vector<InputRange>* ranges);

  // Returns, of each dimension of each parameter, which axis of the space it is: -1 for none, or one that is fixed.
  std::vector<std::vector<int>> ParameterAxes() const;

 private:
  ir::Shape RandomShape();
  DraftId ToFloat(DraftId id);
  DraftId Parameter(ElementType type, const ir::Shape& shape, double low, double high);
  ir::Value PlainParameter(ElementType type, const ir::Shape& shape, double low, double high, std::vector<int> axes);
  std::vector<int> AxesOf(const ir::Shape& shape) const;
  DraftId Add(ir::Value value, double low, double high);
  ir::Value AddNode(const ir::OpDef& op, std::vector<ir::Value> inputs,
                    std::unique_ptr<ir::Attributes> attributes = nullptr);
  void AddResult(DraftId id);

  std::mt19937_64 random_;
  ir::Shape space_;
  Style style_;
  std::vector<bool> fixed_;
  std::unique_ptr<ir::Model> body_;
  std::vector<DraftValue> values_;
  // Of each parameter.
  std::vector<InputRange> ranges_;
  std::vector<std::vector<int>> axes_;
};

// Returns the range of numbers that a type's values are given, well inside of what it holds for floats.
InputRange TypeRange(ElementType type);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_BODY_DRAFT_H_

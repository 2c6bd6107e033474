#include "snippets/fuzz/fuzz_run.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "snippets/decompose/decompose.h"
#include "snippets/fuzz/body_shrinker.h"
#include "snippets/kernel/dynamic_kernel.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/testing/kernel_check.h"
#include "snippets/testing/random_inputs.h"
#include "snippets/testing/subgraph_runner.h"

namespace burin::snippets {
namespace {

// A kernel that runs for longer than this many seconds does not end.
constexpr unsigned kPatience = 20;

// For so many sizes, the first of which are the drawn ones.
constexpr int kDynamicRuns = 3;

// Every machine has as many.
constexpr int kRegistersOfAvx2 = 16;

// Says how a try ended.
enum class Ending : uint8_t { kRight, kRefused, kWrong, kKilled };

const char* NameOf(Ending ending) {
  switch (ending) {
    case Ending::kRight:
      return "right";
    case Ending::kRefused:
      return "refused";
    case Ending::kWrong:
      return "wrong";
    case Ending::kKilled:
      return "killed by a signal";
  }
  return "?";
}

Ending EndingOf(const absl::Status& status) {
  if (status.ok()) return Ending::kRight;
  return absl::IsUnimplemented(status) ? Ending::kRefused : Ending::kWrong;
}

// Runs the body in a process of its own.
Ending Try(const DrawnBody& drawn, const jit::Target& target) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal_number : {SIGSEGV, SIGILL, SIGFPE, SIGBUS}) signal(signal_number, SIG_DFL);
    alarm(kPatience);
    _exit(static_cast<int>(EndingOf(RunDrawn(drawn, target, nullptr))));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return Ending::kRight;
  return WIFEXITED(status) ? static_cast<Ending>(WEXITSTATUS(status)) : Ending::kKilled;
}

// Returns the shapes of the parameters where the axes of the space are so long.
std::vector<ir::Shape> ShapesFor(const DrawnBody& drawn, const ir::Shape& extents) {
  std::vector<ir::Shape> shapes;
  for (size_t i = 0; i < drawn.parameter_axes.size(); ++i) {
    ir::Shape shape = drawn.body->info({drawn.body->parameters()[i], 0}).shape.ToShape();
    for (size_t k = 0; k < shape.size(); ++k) {
      const int axis = drawn.parameter_axes[i][k];
      if (axis >= 0) shape[k] = extents[static_cast<size_t>(axis)];
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

// Returns the body with a symbol for the extent of each axis of the space.
absl::StatusOr<std::unique_ptr<ir::Model>> WithSymbols(const DrawnBody& drawn) {
  std::unique_ptr<ir::Model> body = drawn.body->Clone();
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < drawn.parameter_axes.size(); ++i) {
    ir::PartialShape shape = drawn.body->info({drawn.body->parameters()[i], 0}).shape;
    for (size_t k = 0; k < drawn.parameter_axes[i].size(); ++k) {
      const int axis = drawn.parameter_axes[i][k];
      if (axis >= 0) shape[static_cast<int64_t>(k)] = ir::Dimension::Symbol(absl::StrCat("s", axis));
    }
    shapes[static_cast<int64_t>(i)] = std::move(shape);
  }
  BURIN_RETURN_IF_ERROR(body->Reshape(shapes));
  return body;
}

// Checks the kernels of a body of dynamic shapes for a few sizes.
absl::Status RunDynamic(const DrawnBody& drawn, const jit::Target& target, const FusedKernel::Options& options,
                        std::mt19937_64& random) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, WithSymbols(drawn));
  BURIN_RETURN_IF_ERROR(Decompose(*body));
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<DynamicKernel> kernel, DynamicKernel::Create(*body, target, options));
  for (int run = 0; run < kDynamicRuns; ++run) {
    ir::Shape extents = drawn.space;
    for (int64_t& extent : extents) {
      const auto most = static_cast<uint64_t>(std::max<int64_t>(extent + extent / 2, 1));
      if (run > 0) extent = static_cast<int64_t>(1 + random() % most);
    }
    const std::vector<ir::Shape> shapes = ShapesFor(drawn, extents);
    absl::flat_hash_map<int64_t, ir::PartialShape> given;
    for (size_t i = 0; i < shapes.size(); ++i) given[static_cast<int64_t>(i)] = shapes[i];
    const std::unique_ptr<ir::Model> sized = drawn.body->Clone();
    BURIN_RETURN_IF_ERROR(sized->Reshape(given));
    const std::string context = absl::StrCat("Dynamic, for the space ", ir::ToString(extents));
    absl::StatusOr<SubgraphRunner> runner = SubgraphRunner::Create(*sized, target, options);
    if (!runner.ok()) return WithContext(runner.status(), context);
    const absl::StatusOr<std::shared_ptr<const DynamicKernel::Sized>> found = kernel->For(shapes);
    if (!found.ok()) return WithContext(found.status(), context);
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> inputs, RandomInputs(*sized, drawn.ranges, random));
    const absl::Status checked = runner->Check((*found)->kernel, inputs, random()).status();
    if (!checked.ok()) return WithContext(checked, context);
  }
  return absl::OkStatus();
}

DrawnBody AsDrawn(const ShrunkBody& shrunk, const DrawnBody& like) {
  DrawnBody drawn;
  drawn.seed = like.seed;
  drawn.body = shrunk.body->Clone();
  drawn.space = like.space;
  drawn.ranges = shrunk.ranges;
  drawn.parameter_axes = shrunk.parameter_axes;
  drawn.dynamic = like.dynamic;
  drawn.limits = like.limits;
  return drawn;
}

}  // namespace

absl::Status RunDrawn(const DrawnBody& drawn, const jit::Target& target, FuzzCounters* counters) {
  FusedKernel::Options options;
  options.limits = drawn.limits;
  absl::StatusOr<SubgraphRunner> created = SubgraphRunner::Create(*drawn.body, target, options);
  if (absl::IsResourceExhausted(created.status()) && options.limits.vectors < kRegistersOfAvx2) {
    // Some operations need more by themselves; that has nothing to do with the rest of the body.
    if (counters != nullptr) counters->AddName("registers/one operation needs more");
    options.limits.vectors = kRegistersOfAvx2;
    created = SubgraphRunner::Create(*drawn.body, target, options);
  }
  BURIN_ASSIGN_OR_RETURN(const SubgraphRunner runner, std::move(created));
  std::mt19937_64 random(drawn.seed);
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> inputs, RandomInputs(*drawn.body, drawn.ranges, random));
  BURIN_ASSIGN_OR_RETURN(const ComparedElements compared, runner.Check(inputs, random()));
  if (counters != nullptr) BURIN_RETURN_IF_ERROR(counters->Add(drawn, runner, target, options.limits, compared));
  if (!drawn.dynamic) return absl::OkStatus();
  const absl::Status dynamic = RunDynamic(drawn, target, options, random);
  if (!absl::IsResourceExhausted(dynamic)) return dynamic;
  options.limits.vectors = kRegistersOfAvx2;
  return RunDynamic(drawn, target, options, random);
}

std::string ExplainFailure(uint64_t seed, const jit::Target& target) {
  DrawnBody drawn = DrawBody(seed);
  const Ending ending = Try(drawn, target);
  const bool returns = ending == Ending::kWrong || ending == Ending::kRefused;
  const std::string first = returns ? RunDrawn(drawn, target, nullptr).ToString() : "";
  if (drawn.dynamic) {
    // What fails for the drawn sizes alone can be made smaller.
    drawn.dynamic = false;
    drawn.dynamic = Try(drawn, target) != ending;
  }
  ShrunkBody shrunk;
  shrunk.body = drawn.body->Clone();
  shrunk.ranges = drawn.ranges;
  shrunk.parameter_axes = drawn.parameter_axes;
  for (std::vector<int>& axes : shrunk.parameter_axes) {
    if (!drawn.dynamic) std::fill(axes.begin(), axes.end(), -1);
  }
  if (ending != Ending::kRight) {
    shrunk = ShrinkBody(std::move(shrunk),
                        [&](const ShrunkBody& candidate) { return Try(AsDrawn(candidate, drawn), target) == ending; });
  }
  const DrawnBody small = AsDrawn(shrunk, drawn);
  const std::string why = returns ? RunDrawn(small, target, nullptr).ToString() : "";
  const absl::StatusOr<std::string> text = ir::PrintModel(*small.body);
  return absl::StrCat("// seed ", seed, small.dynamic ? ", dynamic, " : ", ", std::string(Name(target.level())),
                      ", registers ", small.limits.general, " and ", small.limits.vectors, ": ", NameOf(ending),
                      "\n// as drawn: ", first, "\n// ", why, "\n", text.ok() ? *text : text.status().ToString());
}

}  // namespace burin::snippets

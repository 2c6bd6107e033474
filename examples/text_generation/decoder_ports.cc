#include "examples/text_generation/decoder_ports.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace burin::text_generation {
namespace {

bool IsScore(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBf16;
}

bool IsNumber(ElementType type) { return type == ElementType::kI32 || type == ElementType::kI64; }

// Returns the output of the same ending as a cache's input.
absl::StatusOr<Port> PresentOf(const Port& past, const std::vector<Port>& outputs) {
  absl::string_view ending = past.name();
  if (!absl::ConsumePrefix(&ending, "past_key_values")) absl::ConsumePrefix(&ending, "past");
  const std::string wanted = absl::StrCat("present", ending);
  for (const Port& output : outputs) {
    if (!output.HasName(wanted)) continue;
    if (output.element_type != past.element_type) {
      return absl::InvalidArgumentError(
          absl::StrCat("A cache comes out with another type: ", ToString(past), ", ", ToString(output)));
    }
    return output;
  }
  return absl::InvalidArgumentError(absl::StrCat("A cache has no output \"", wanted, "\": ", ToString(past)));
}

absl::StatusOr<CachePorts> FindCache(const Port& past, const std::vector<Port>& outputs) {
  CachePorts cache;
  cache.past = past;
  absl::StatusOr<Port> present = PresentOf(past, outputs);
  if (!present.ok()) return present.status();
  cache.present = *std::move(present);
  bool found = false;
  for (int64_t axis = 0; past.shape.has_rank() && axis < past.shape.rank(); ++axis) {
    if (past.shape[axis].is_static()) continue;
    cache.time_axis = axis;
    found = true;
  }
  if (!found) return absl::InvalidArgumentError(absl::StrCat("A cache has no axis that grows: ", ToString(past)));
  return cache;
}

// Gives a role to an input, once.
absl::Status Take(const Port& port, std::optional<Port>* role) {
  if (role->has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Two inputs have one meaning: ", ToString(**role), ", ", ToString(port)));
  }
  if (!IsNumber(port.element_type)) {
    return absl::InvalidArgumentError(absl::StrCat("An input is neither a cache nor of integers: ", ToString(port)));
  }
  if (!port.shape.has_rank() || port.shape.rank() < 1 || port.shape.rank() > 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("An input of integers is no list, nor a batch of lists: ", ToString(port)));
  }
  *role = port;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DecoderPorts> FindDecoderPorts(const std::vector<Port>& inputs, const std::vector<Port>& outputs) {
  DecoderPorts ports;
  std::optional<Port> tokens;
  for (const Port& input : inputs) {
    if (absl::StartsWith(input.name(), "past")) {
      absl::StatusOr<CachePorts> cache = FindCache(input, outputs);
      if (!cache.ok()) return cache.status();
      ports.caches.push_back(*std::move(cache));
      continue;
    }
    const absl::Status status = Take(input, absl::StrContains(input.name(), "position") ? &ports.positions
                                            : absl::StrContains(input.name(), "mask")   ? &ports.mask
                                                                                        : &tokens);
    if (!status.ok()) return status;
  }
  if (!tokens.has_value()) return absl::InvalidArgumentError(absl::StrCat("No input of tokens: ", NamesOf(inputs)));
  ports.tokens = *tokens;
  if (ports.caches.empty()) return absl::InvalidArgumentError(absl::StrCat("No cache among: ", NamesOf(inputs)));

  bool found = false;
  for (const Port& output : outputs) {
    if (absl::StartsWith(output.name(), "present")) continue;
    if (found) {
      return absl::InvalidArgumentError(
          absl::StrCat("Two outputs may be the scores: ", ToString(ports.logits), ", ", ToString(output)));
    }
    if (!IsScore(output.element_type)) {
      return absl::InvalidArgumentError(absl::StrCat("The scores are not f32, f16 or bf16: ", ToString(output)));
    }
    ports.logits = output;
    found = true;
  }
  if (!found) return absl::InvalidArgumentError(absl::StrCat("No output of scores: ", NamesOf(outputs)));
  return ports;
}

}  // namespace burin::text_generation

#include "tools/models/builtin.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "tools/models/bert_base.h"
#include "tools/models/ir_builder.h"
#include "tools/models/llama.h"
#include "tools/models/mobilenet_v2.h"
#include "tools/models/resnet50.h"
#include "tools/models/vit_b16.h"

namespace burin::models {

namespace {

constexpr absl::string_view kPrefix = "builtin:";

struct Entry {
  const char* name;
  std::unique_ptr<Parameters> (*make_parameters)();
  absl::Status (*build)(const Parameters& parameters, NetworkBuilder* builder);
};

template <class T, absl::Status (*kBuild)(const T&, NetworkBuilder*)>
constexpr Entry MakeEntry(const char* name) {
  return Entry{name, []() -> std::unique_ptr<Parameters> { return std::make_unique<T>(); },
               [](const Parameters& parameters, NetworkBuilder* builder) {
                 return kBuild(static_cast<const T&>(parameters), builder);
               }};
}

// Sorted by name.
constexpr Entry kEntries[] = {
    MakeEntry<BertBaseParameters, &BuildBertBase>("bert_base"),
    MakeEntry<LlamaParameters, &BuildLlama>("llama"),
    MakeEntry<MobilenetV2Parameters, &BuildMobilenetV2>("mobilenet_v2"),
    MakeEntry<Resnet50Parameters, &BuildResnet50>("resnet50"),
    MakeEntry<VitB16Parameters, &BuildVitB16>("vit_b16"),
};

std::string Describe(absl::string_view name, Parameters& parameters) {
  return absl::StrCat(name, "(", ToString(parameters), ")");
}

}  // namespace

bool IsBuiltin(absl::string_view text) { return absl::StartsWith(text, kPrefix); }

std::string ListBuiltins() {
  std::string text;
  for (const Entry& entry : kEntries) absl::StrAppend(&text, Describe(entry.name, *entry.make_parameters()), "\n");
  return text;
}

Builtin::Builtin(const char* name, std::unique_ptr<Parameters> parameters, BuildFunction build)
    : name_(name), parameters_(std::move(parameters)), build_(build) {}

absl::StatusOr<Builtin> Builtin::Parse(absl::string_view text) {
  absl::string_view rest = text;
  absl::ConsumePrefix(&rest, kPrefix);
  const size_t open = rest.find('(');
  const absl::string_view name = rest.substr(0, open);
  absl::string_view list;
  if (open != absl::string_view::npos) {
    list = rest.substr(open + 1);
    if (!absl::ConsumeSuffix(&list, ")")) {
      return absl::InvalidArgumentError(
          absl::StrCat("Expected \")\" at the end of the built-in network \"", text, "\""));
    }
  }
  for (const Entry& entry : kEntries) {
    if (name != entry.name) continue;
    std::unique_ptr<Parameters> parameters = entry.make_parameters();
    const absl::Status parsed = ParseParameters(list, parameters.get());
    if (!parsed.ok()) return WithContext(parsed, absl::StrCat("Built-in network ", name));
    return Builtin(entry.name, std::move(parameters), entry.build);
  }
  return absl::InvalidArgumentError(absl::StrCat("No built-in network \"", name, "\"; there are:\n", ListBuiltins()));
}

std::string Builtin::ToString() const { return Describe(name_, *parameters_); }

absl::StatusOr<std::unique_ptr<ir::Model>> BuildBuiltinModel(absl::string_view text) {
  BURIN_ASSIGN_OR_RETURN(Builtin network, Builtin::Parse(text));
  IrBuilder builder(network.name());
  const absl::Status built = network.Build(&builder);
  if (!built.ok()) return WithContext(built, absl::StrCat("Built-in network ", network.name()));
  return builder.Finish();
}

}  // namespace burin::models

#include "tools/jit_dump/fused.h"

#include <memory>

#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/decompose/decompose.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/linear_ir_parser.h"

namespace burin::jit_dump {

absl::StatusOr<FusedForms> FormsOfBody(absl::string_view text, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_RETURN_IF_ERROR(snippets::Decompose(*body));
  BURIN_ASSIGN_OR_RETURN(const snippets::FusedKernel kernel, snippets::FusedKernel::Create(*body, target, {}));
  FusedForms forms;
  BURIN_ASSIGN_OR_RETURN(forms.body, ir::PrintModel(*body));
  forms.linear_ir = kernel.linear_ir().ToString();
  BURIN_ASSIGN_OR_RETURN(forms.code, snippets::GenerateKernel(kernel.linear_ir(), target));
  return forms;
}

absl::StatusOr<FusedForms> FormsOfLinearIr(absl::string_view text, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(snippets::LinearIr ir, snippets::ParseLinearIr(text));
  ir.name = "fused_";
  FusedForms forms;
  forms.linear_ir = ir.ToString();
  BURIN_ASSIGN_OR_RETURN(forms.code, snippets::GenerateKernel(ir, target));
  return forms;
}

}  // namespace burin::jit_dump

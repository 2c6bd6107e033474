#include "tools/kernel_bench/families/families.h"

#include "tools/kernel_bench/families/copy_family.h"
#include "tools/kernel_bench/families/elementwise_family.h"
#include "tools/kernel_bench/families/fused_family.h"
#include "tools/kernel_bench/families/gemm_family.h"

namespace burin::kernel_bench {

std::vector<std::unique_ptr<Family>> AllFamilies(const std::string& body_text) {
  std::vector<std::unique_ptr<Family>> families;
  families.push_back(ElementwiseFamily());
  families.push_back(CopyFamily());
  families.push_back(FusedFamily(body_text));
  families.push_back(GemmFamily());
  return families;
}

}  // namespace burin::kernel_bench

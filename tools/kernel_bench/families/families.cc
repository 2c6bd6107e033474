#include "tools/kernel_bench/families/families.h"

#include "tools/kernel_bench/families/copy_family.h"
#include "tools/kernel_bench/families/dense/convolution_family.h"
#include "tools/kernel_bench/families/dense/gemm_family.h"
#include "tools/kernel_bench/families/dense/pooling_family.h"
#include "tools/kernel_bench/families/elementwise_family.h"
#include "tools/kernel_bench/families/fused_family.h"

namespace burin::kernel_bench {

std::vector<std::unique_ptr<Family>> AllFamilies(const std::string& body_text) {
  std::vector<std::unique_ptr<Family>> families;
  families.push_back(ElementwiseFamily());
  families.push_back(CopyFamily());
  families.push_back(FusedFamily(body_text));
  families.push_back(GemmFamily());
  families.push_back(ConvolutionFamily());
  families.push_back(PoolingFamily());
  return families;
}

}  // namespace burin::kernel_bench

#include "runtime/plugins/reference/config.h"

#include "absl/strings/str_cat.h"
#include "runtime/dev/instance/one_instance.h"
#include "runtime/dev/properties.h"
#include "runtime/plugins/reference/usable_cores.h"

namespace burin::reference {

Configuration DefaultConfiguration(const std::string& device_name) {
  return OneInstanceConfiguration(device_name, OneInstanceRows("REFERENCE"));
}

Configuration ContextConfiguration(const std::string& device_name) {
  return OneInstanceContextConfiguration(device_name, OneInstanceRows("REFERENCE"));
}

PropertyMap DeviceFacts(const std::string& device_name) {
  PropertyMap facts = OneInstanceFacts(device_name);
  facts.insert({
      full_device_name("Burin reference evaluator"),
      // Every operation is evaluated in the types of its model.
      optimization_capabilities({"FP64", "FP32", "FP16", "BF16", "INT8"}),
      // One thread runs each.
      range_for_async_infer_requests({"1", absl::StrCat(UsableCores()), "1"}),
  });
  return facts;
}

PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name) {
  return {
      execution_devices({device_name}),
      network_name(model_name),
      // One thread runs each.
      optimal_number_of_infer_requests(UsableCores()),
  };
}

}  // namespace burin::reference

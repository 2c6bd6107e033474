#include "tools/peers/onnxruntime_peer.h"

#ifdef BURIN_PEER_ONNXRUNTIME

#include <onnx/onnx.pb.h>
#include <onnxruntime_c_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::peers {
namespace {

using kernel_bench::Peer;
using kernel_bench::PeerContender;
using kernel_bench::PeerWork;

constexpr int kOpset = 20;
// What models of that opset are written as.
constexpr int kIrVersion = 9;

// How ONNX spells a function.
struct Operator {
  absl::string_view function;
  absl::string_view type;
  // Of Gelu.
  absl::string_view approximate;
};

constexpr Operator kOperators[] = {
    {"Abs", "Abs", ""},           {"Erf", "Erf", ""},   {"Exp", "Exp", ""},      {"GeluErf", "Gelu", "none"},
    {"GeluTanh", "Gelu", "tanh"}, {"Log", "Log", ""},   {"Negative", "Neg", ""}, {"Relu", "Relu", ""},
    {"Sigmoid", "Sigmoid", ""},   {"Sqrt", "Sqrt", ""}, {"Tanh", "Tanh", ""},    {"Transpose", "Transpose", ""},
};

void AddTensor(onnx::ValueInfoProto* value, const std::string& name, const std::vector<int64_t>& dims) {
  value->set_name(name);
  onnx::TypeProto::Tensor* const type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  for (const int64_t dim : dims) type->mutable_shape()->add_dim()->set_dim_value(dim);
}

std::vector<int64_t> OutputDims(const PeerWork& work) {
  if (work.permutation.empty()) return work.dims;
  std::vector<int64_t> dims;
  for (const int dimension : work.permutation) dims.push_back(work.dims[static_cast<size_t>(dimension)]);
  return dims;
}

// A model of one node, from "x" to "y".
std::string OneNodeModel(const Operator& op, const PeerWork& work) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.add_opset_import()->set_version(kOpset);
  onnx::GraphProto* const graph = model.mutable_graph();
  graph->set_name("one_node");
  AddTensor(graph->add_input(), "x", work.dims);
  AddTensor(graph->add_output(), "y", OutputDims(work));
  onnx::NodeProto* const node = graph->add_node();
  node->set_op_type(std::string(op.type));
  node->add_input("x");
  node->add_output("y");
  if (!op.approximate.empty()) {
    onnx::AttributeProto* const attribute = node->add_attribute();
    attribute->set_name("approximate");
    attribute->set_type(onnx::AttributeProto::STRING);
    attribute->set_s(std::string(op.approximate));
  }
  if (!work.permutation.empty()) {
    onnx::AttributeProto* const attribute = node->add_attribute();
    attribute->set_name("perm");
    attribute->set_type(onnx::AttributeProto::INTS);
    for (const int dimension : work.permutation) attribute->add_ints(dimension);
  }
  return model.SerializeAsString();
}

// Keeps the library's functions and objects.
class OnnxRuntime : public Peer {
 public:
  explicit OnnxRuntime(const OrtApi* api) : api_(api) {}

  absl::Status Start() {
    OrtEnv* env = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(api_->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "kernel_bench", &env)));
    env_ = Own(env, api_->ReleaseEnv);
    OrtSessionOptions* options = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(api_->CreateSessionOptions(&options)));
    options_ = Own(options, api_->ReleaseSessionOptions);
    BURIN_RETURN_IF_ERROR(ToStatus(api_->SetIntraOpNumThreads(options, 1)));
    BURIN_RETURN_IF_ERROR(ToStatus(api_->SetInterOpNumThreads(options, 1)));
    BURIN_RETURN_IF_ERROR(ToStatus(api_->SetSessionExecutionMode(options, ORT_SEQUENTIAL)));
    OrtMemoryInfo* memory = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(api_->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory)));
    memory_ = Own(memory, api_->ReleaseMemoryInfo);
    return absl::OkStatus();
  }

  std::string name() const override { return "ONNX Runtime"; }

  std::string version() const override { return OrtGetApiBase()->GetVersionString(); }

  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    std::vector<PeerContender> contenders;
    for (const Operator& op : kOperators) {
      if (op.function != work.function) continue;
      BURIN_ASSIGN_OR_RETURN(PeerContender contender, Bind(op, work));
      contenders.push_back(std::move(contender));
    }
    return contenders;
  }

 private:
  template <class T>
  static std::shared_ptr<T> Own(T* object, void (*release)(T*)) {
    return std::shared_ptr<T>(object, release);
  }

  absl::Status ToStatus(OrtStatus* status) const {
    if (status == nullptr) return absl::OkStatus();
    const std::string message = absl::StrCat("ONNX Runtime: ", api_->GetErrorMessage(status));
    api_->ReleaseStatus(status);
    return absl::InternalError(message);
  }

  absl::StatusOr<std::shared_ptr<OrtValue>> Wrap(const float* data, const std::vector<int64_t>& dims) const {
    size_t bytes = sizeof(float);
    for (const int64_t dim : dims) bytes *= static_cast<size_t>(dim);
    OrtValue* value = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(api_->CreateTensorWithDataAsOrtValue(memory_.get(), const_cast<float*>(data), bytes, dims.data(),
                                                      dims.size(), ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value)));
    return Own(value, api_->ReleaseValue);
  }

  // A session of the one node, with the buffers of each copy.
  absl::StatusOr<PeerContender> Bind(const Operator& op, const PeerWork& work) const {
    const std::string model = OneNodeModel(op, work);
    OrtSession* created = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(api_->CreateSessionFromArray(env_.get(), model.data(), model.size(), options_.get(), &created)));
    const std::shared_ptr<OrtSession> session = Own(created, api_->ReleaseSession);
    PeerContender contender;
    contender.implementation = absl::StrCat("a model of one ", op.type);
    contender.timed = "Run() of the session, with its few microseconds of overhead, into tensors that are there";
    for (const PeerWork::Buffers& buffers : work.copies) {
      BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtValue> from, Wrap(buffers.in, work.dims));
      BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtValue> to, Wrap(buffers.out, OutputDims(work)));
      const auto call = [api = api_, env = env_, session, from, to] {
        const char* const in_name = "x";
        const char* const out_name = "y";
        const OrtValue* const in = from.get();
        OrtValue* out = to.get();
        return api->Run(session.get(), nullptr, &in_name, &in, 1, &out_name, 1, &out);
      };
      // Once with a look at the outcome: what goes well once does so with the same buffers ever after.
      BURIN_RETURN_IF_ERROR(ToStatus(call()));
      contender.calls.push_back([call] { (void)call(); });
    }
    return contender;
  }

  const OrtApi* const api_;
  std::shared_ptr<OrtEnv> env_;
  std::shared_ptr<OrtSessionOptions> options_;
  std::shared_ptr<OrtMemoryInfo> memory_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Peer>> OnnxRuntimePeer() {
  const OrtApi* const api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    return absl::InternalError(absl::StrCat("ONNX Runtime is older than its headers: version ",
                                            OrtGetApiBase()->GetVersionString(), ", headers of 1.", ORT_API_VERSION));
  }
  auto peer = std::make_shared<OnnxRuntime>(api);
  BURIN_RETURN_IF_ERROR(peer->Start());
  return peer;
}

}  // namespace burin::peers

#else

namespace burin::peers {

absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> OnnxRuntimePeer() { return std::shared_ptr<kernel_bench::Peer>(); }

}  // namespace burin::peers

#endif  // BURIN_PEER_ONNXRUNTIME

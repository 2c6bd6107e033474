#include "tools/peers/onnxruntime_peer.h"

#ifdef BURIN_PEER_ONNXRUNTIME

#include <onnx/onnx.pb.h>
#include <onnxruntime_c_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::peers {
namespace {

using kernel_bench::Peer;
using kernel_bench::PeerContender;
using kernel_bench::PeerGraph;
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

// Of graphs: the first whose GroupNormalization has a scale for each channel.
constexpr int kGraphOpset = 21;
constexpr int kGraphIrVersion = 10;

void AddAttribute(const kernel_bench::PeerGraph::Attribute& given, onnx::NodeProto* node) {
  onnx::AttributeProto* const attribute = node->add_attribute();
  attribute->set_name(given.name);
  if (const int64_t* const integer = std::get_if<int64_t>(&given.value)) {
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(*integer);
  } else if (const float* const number = std::get_if<float>(&given.value)) {
    attribute->set_type(onnx::AttributeProto::FLOAT);
    attribute->set_f(*number);
  } else if (const auto* const integers = std::get_if<std::vector<int64_t>>(&given.value)) {
    attribute->set_type(onnx::AttributeProto::INTS);
    for (const int64_t one : *integers) attribute->add_ints(one);
  } else {
    attribute->set_type(onnx::AttributeProto::STRING);
    attribute->set_s(std::get<std::string>(given.value));
  }
}

// A model of the whole graph.
std::string GraphModel(const PeerGraph& given) {
  onnx::ModelProto model;
  model.set_ir_version(kGraphIrVersion);
  model.add_opset_import()->set_version(kGraphOpset);
  onnx::OperatorSetIdProto* const contributed = model.add_opset_import();
  contributed->set_domain("com.microsoft");
  contributed->set_version(1);
  onnx::GraphProto* const graph = model.mutable_graph();
  graph->set_name("graph");
  for (const PeerGraph::Tensor& input : given.inputs) AddTensor(graph->add_input(), input.name, input.dims);
  for (const PeerGraph::Tensor& output : given.outputs) AddTensor(graph->add_output(), output.name, output.dims);
  for (const PeerGraph::Constant& constant : given.constants) {
    onnx::TensorProto* const tensor = graph->add_initializer();
    tensor->set_name(constant.name);
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    for (const int64_t dim : constant.dims) tensor->add_dims(dim);
    for (const float value : constant.values) tensor->add_float_data(value);
  }
  for (const PeerGraph::Node& one : given.nodes) {
    onnx::NodeProto* const node = graph->add_node();
    node->set_op_type(one.type);
    node->set_domain(one.domain);
    for (const std::string& input : one.inputs) node->add_input(input);
    for (const std::string& output : one.outputs) node->add_output(output);
    for (const PeerGraph::Attribute& attribute : one.attributes) AddAttribute(attribute, node);
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

  absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& graph) override {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtSession> session, Load(GraphModel(graph)));
    PeerContender contender;
    contender.variant = graph.variant;
    contender.implementation = "a model of";
    for (const PeerGraph::Node& node : graph.nodes) absl::StrAppend(&contender.implementation, " ", node.type);
    contender.timed = kTimed;
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      BURIN_ASSIGN_OR_RETURN(std::function<void()> call, BindGraph(session, graph, buffers));
      contender.calls.push_back(std::move(call));
    }
    return std::vector<PeerContender>{std::move(contender)};
  }

 private:
  static constexpr char kTimed[] =
      "Run() of the session, with its few microseconds of overhead, into tensors that are there";

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

  absl::StatusOr<std::shared_ptr<OrtSession>> Load(const std::string& model) const {
    OrtSession* created = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(api_->CreateSessionFromArray(env_.get(), model.data(), model.size(), options_.get(), &created)));
    return Own(created, api_->ReleaseSession);
  }

  // A run of the session on one copy.
  absl::StatusOr<std::function<void()>> BindGraph(const std::shared_ptr<OrtSession>& session, const PeerGraph& graph,
                                                  const PeerGraph::Buffers& buffers) const {
    struct Bound {
      std::vector<std::string> names;
      std::vector<std::shared_ptr<OrtValue>> values;
      std::vector<const char*> in_names;
      std::vector<const char*> out_names;
      std::vector<const OrtValue*> in;
      std::vector<OrtValue*> out;
    };
    const auto bound = std::make_shared<Bound>();
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtValue> value, Wrap(buffers.in[i], graph.inputs[i].dims));
      bound->names.push_back(graph.inputs[i].name);
      bound->values.push_back(value);
      bound->in.push_back(value.get());
    }
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtValue> value, Wrap(buffers.out[i], graph.outputs[i].dims));
      bound->names.push_back(graph.outputs[i].name);
      bound->values.push_back(value);
      bound->out.push_back(value.get());
    }
    for (size_t i = 0; i < bound->names.size(); ++i) {
      (i < bound->in.size() ? bound->in_names : bound->out_names).push_back(bound->names[i].c_str());
    }
    const auto call = [api = api_, env = env_, session, bound] {
      return api->Run(session.get(), nullptr, bound->in_names.data(), bound->in.data(), bound->in.size(),
                      bound->out_names.data(), bound->out.size(), bound->out.data());
    };
    BURIN_RETURN_IF_ERROR(ToStatus(call()));
    return std::function<void()>([call] { (void)call(); });
  }

  // A session of the one node, with the buffers of each copy.
  absl::StatusOr<PeerContender> Bind(const Operator& op, const PeerWork& work) const {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<OrtSession> session, Load(OneNodeModel(op, work)));
    PeerContender contender;
    contender.implementation = absl::StrCat("a model of one ", op.type);
    contender.timed = kTimed;
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

#include "tools/peers/onednn_peer.h"

#ifdef BURIN_PEER_ONEDNN

#include <oneapi/dnnl/dnnl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

// Of the OpenMP runtime that oneDNN starts its threads by; its header is not with every compiler.
extern "C" void omp_set_num_threads(int count);

namespace burin::peers {
namespace {

using kernel_bench::Peer;
using kernel_bench::PeerContender;
using kernel_bench::PeerGraph;
using kernel_bench::PeerWork;

absl::Status ToStatus(dnnl_status_t status, absl::string_view what) {
  if (status == dnnl_success) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("oneDNN refuses ", what, ": status ", static_cast<int>(status)));
}

template <class T>
std::shared_ptr<std::remove_pointer_t<T>> Own(T object, dnnl_status_t (*destroy)(T)) {
  return std::shared_ptr<std::remove_pointer_t<T>>(object, [destroy](T owned) { destroy(owned); });
}

using Engine = std::shared_ptr<dnnl_engine>;
using Stream = std::shared_ptr<dnnl_stream>;
using MemoryDesc = std::shared_ptr<dnnl_memory_desc>;
using PrimitiveDesc = std::shared_ptr<dnnl_primitive_desc>;
using Primitive = std::shared_ptr<dnnl_primitive>;
using Memory = std::shared_ptr<dnnl_memory>;

struct Algorithm {
  absl::string_view function;
  dnnl_alg_kind_t kind;
};

constexpr Algorithm kAlgorithms[] = {
    {"Abs", dnnl_eltwise_abs},          {"Exp", dnnl_eltwise_exp},
    {"GeluErf", dnnl_eltwise_gelu_erf}, {"GeluTanh", dnnl_eltwise_gelu_tanh},
    {"Log", dnnl_eltwise_log},          {"Relu", dnnl_eltwise_relu},
    {"Sigmoid", dnnl_eltwise_logistic}, {"Sqrt", dnnl_eltwise_sqrt},
    {"Tanh", dnnl_eltwise_tanh},
};

// Floats of these dimensions; dimension i advances by strides[i] elements.
absl::StatusOr<MemoryDesc> Describe(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  if (dims.size() > DNNL_MAX_NDIMS) return absl::UnimplementedError("oneDNN has no tensors of so many dimensions");
  dnnl_memory_desc_t desc = nullptr;
  BURIN_RETURN_IF_ERROR(ToStatus(
      dnnl_memory_desc_create_with_strides(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32, strides.data()),
      "a tensor"));
  return Own(desc, dnnl_memory_desc_destroy);
}

// A form of a tensor of four dimensions, [image, channel, row, column].
struct Format {
  const char* name;
  dnnl_format_tag_t tag;
};

// What the library likes best, which it says itself, and what it has kernels for.
constexpr Format kFormats[] = {{"any", dnnl_format_tag_any}, {"nhwc", dnnl_nhwc}, {"nChw16c", dnnl_nChw16c}};

// How a window moves over the two axes of an image.
struct Windows {
  dnnl_dims_t kernel = {1, 1};
  dnnl_dims_t strides = {1, 1};
  // From 0 on.
  dnnl_dims_t dilations = {0, 0};
  dnnl_dims_t pads_begin = {0, 0};
  dnnl_dims_t pads_end = {0, 0};
  int64_t group = 1;
  bool count_padding = false;

  static Windows Of(const PeerGraph::Node& node) {
    Windows windows;
    for (const PeerGraph::Attribute& attribute : node.attributes) {
      const auto* const integers = std::get_if<std::vector<int64_t>>(&attribute.value);
      const auto* const integer = std::get_if<int64_t>(&attribute.value);
      for (size_t axis = 0; integers != nullptr && axis < 2; ++axis) {
        if (attribute.name == "kernel_shape") windows.kernel[axis] = (*integers)[axis];
        if (attribute.name == "strides") windows.strides[axis] = (*integers)[axis];
        if (attribute.name == "dilations") windows.dilations[axis] = (*integers)[axis] - 1;
        if (attribute.name != "pads") continue;
        windows.pads_begin[axis] = (*integers)[axis];
        windows.pads_end[axis] = (*integers)[2 + axis];
      }
      if (attribute.name == "group" && integer != nullptr) windows.group = *integer;
      if (attribute.name == "count_include_pad" && integer != nullptr) windows.count_padding = *integer != 0;
    }
    return windows;
  }
};

std::vector<int64_t> DenseStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dims[i - 1];
  return strides;
}

class OneDnn : public Peer {
 public:
  OneDnn(Engine engine, Stream stream) : engine_(std::move(engine)), stream_(std::move(stream)) {}

  std::string name() const override { return "oneDNN"; }

  std::string version() const override {
    const dnnl_version_t* const version = dnnl_version();
    return absl::StrCat(version->major, ".", version->minor, ".", version->patch, " (", version->hash, ")");
  }

  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    std::vector<PeerContender> contenders;
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc in, Describe(work.dims, DenseStrides(work.dims)));
    PrimitiveDesc desc;
    MemoryDesc out = in;
    if (work.function == "Transpose") {
      // What is dimension i of the input lies in the output where the permutation says.
      std::vector<int64_t> out_dims;
      for (const int dimension : work.permutation) out_dims.push_back(work.dims[static_cast<size_t>(dimension)]);
      const std::vector<int64_t> out_strides = DenseStrides(out_dims);
      std::vector<int64_t> strides(work.dims.size());
      for (size_t i = 0; i < strides.size(); ++i) strides[static_cast<size_t>(work.permutation[i])] = out_strides[i];
      BURIN_ASSIGN_OR_RETURN(out, Describe(work.dims, strides));
      BURIN_ASSIGN_OR_RETURN(desc, Reorder(in, out));
    } else {
      for (const Algorithm& algorithm : kAlgorithms) {
        if (algorithm.function != work.function) continue;
        BURIN_ASSIGN_OR_RETURN(desc, Eltwise(algorithm.kind, in));
      }
    }
    if (desc == nullptr) return contenders;
    BURIN_ASSIGN_OR_RETURN(PeerContender contender, Bind(desc, in, out, work));
    contenders.push_back(std::move(contender));
    return contenders;
  }

  absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& graph) override {
    if (graph.nodes.size() != 1) return std::vector<PeerContender>();
    const std::string& type = graph.nodes.front().type;
    if (type == "MatMul" || type == "Gemm") return Products(graph);
    if (type == "Conv" || type == "MaxPool" || type == "AveragePool") return OverWindows(graph);
    if (type != "Softmax" && type != "LayerNormalization") return std::vector<PeerContender>();
    const std::vector<int64_t>& dims = graph.inputs.front().dims;
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc tensor, Describe(dims, DenseStrides(dims)));
    PeerContender contender;
    contender.timed = kTimed;
    std::vector<int> arguments = {DNNL_ARG_SRC};
    std::vector<MemoryDesc> descs = {tensor};
    PrimitiveDesc desc;
    if (type == "Softmax") {
      BURIN_ASSIGN_OR_RETURN(desc, Softmax(tensor, static_cast<int>(dims.size()) - 1));
    } else {
      BURIN_ASSIGN_OR_RETURN(desc, LayerNorm(tensor));
      BURIN_ASSIGN_OR_RETURN(const MemoryDesc row, Describe({dims.back()}, {1}));
      arguments.insert(arguments.end(), {DNNL_ARG_SCALE, DNNL_ARG_SHIFT});
      descs.insert(descs.end(), {row, row});
    }
    BURIN_ASSIGN_OR_RETURN(const Primitive primitive, Make(desc, &contender.implementation));
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      std::vector<Memory> memories;
      std::vector<dnnl_exec_arg_t> bound;
      for (size_t i = 0; i < arguments.size(); ++i) {
        BURIN_ASSIGN_OR_RETURN(const Memory memory, Wrap(descs[i], const_cast<float*>(buffers.in[i])));
        memories.push_back(memory);
        bound.push_back({arguments[i], memory.get()});
      }
      BURIN_ASSIGN_OR_RETURN(const Memory to, Wrap(tensor, buffers.out.front()));
      memories.push_back(to);
      bound.push_back({DNNL_ARG_DST, to.get()});
      contender.calls.push_back([primitive, memories, bound, stream = stream_] {
        dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(bound.size()), bound.data());
        dnnl_stream_wait(stream.get());
      });
    }
    return std::vector<PeerContender>{std::move(contender)};
  }

 private:
  static constexpr char kTimed[] = "dnnl_primitive_execute() and waiting for the stream";

  // Of two matrices, of which the second may be a constant: that is then brought into the form that the library likes
  // best, ahead, as well as taken as it is. That of a Gemm is transposed.
  absl::StatusOr<std::vector<PeerContender>> Products(const PeerGraph& graph) const {
    const bool is_constant = !graph.constants.empty();
    const std::vector<int64_t>& a_dims = graph.inputs.front().dims;
    const std::vector<int64_t>& b_dims = is_constant ? graph.constants.front().dims : graph.inputs[1].dims;
    if (a_dims.size() != 2 || b_dims.size() != 2) return std::vector<PeerContender>();
    const bool transposed = graph.nodes.front().type == "Gemm";
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc plain, transposed ? Describe({b_dims[1], b_dims[0]}, {1, b_dims[1]})
                                                              : Describe(b_dims, DenseStrides(b_dims)));
    std::vector<PeerContender> contenders;
    if (is_constant) {
      dnnl_memory_desc_t any = nullptr;
      BURIN_RETURN_IF_ERROR(ToStatus(
          dnnl_memory_desc_create_with_tag(&any, 2, b_dims.data(), dnnl_f32, dnnl_format_tag_any), "a matrix"));
      BURIN_ASSIGN_OR_RETURN(PeerContender packed, Product(graph, Own(any, dnnl_memory_desc_destroy), "packed"));
      contenders.push_back(std::move(packed));
    }
    BURIN_ASSIGN_OR_RETURN(PeerContender as_it_is, Product(graph, plain, "plain"));
    contenders.push_back(std::move(as_it_is));
    return contenders;
  }

  absl::StatusOr<PeerContender> Product(const PeerGraph& graph, const MemoryDesc& b, const std::string& variant) const {
    const std::vector<int64_t>& a_dims = graph.inputs.front().dims;
    const std::vector<int64_t>& c_dims = graph.outputs.front().dims;
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc a, Describe(a_dims, DenseStrides(a_dims)));
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc c, Describe(c_dims, DenseStrides(c_dims)));
    dnnl_primitive_desc_t created = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(
        dnnl_matmul_primitive_desc_create(&created, engine_.get(), a.get(), b.get(), nullptr, c.get(), nullptr),
        "a product of matrices"));
    const PrimitiveDesc desc = Own(created, dnnl_primitive_desc_destroy);
    PeerContender contender;
    contender.variant = variant;
    contender.timed = kTimed;
    BURIN_ASSIGN_OR_RETURN(const Primitive primitive, Make(desc, &contender.implementation));
    Memory constant;
    if (!graph.constants.empty()) {
      BURIN_ASSIGN_OR_RETURN(constant, Constant(graph.constants.front(), desc));
    }
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      BURIN_ASSIGN_OR_RETURN(const Memory left, Wrap(a, const_cast<float*>(buffers.in[0])));
      Memory right = constant;
      if (right == nullptr) {
        BURIN_ASSIGN_OR_RETURN(right, Wrap(b, const_cast<float*>(buffers.in[1])));
      }
      BURIN_ASSIGN_OR_RETURN(const Memory to, Wrap(c, buffers.out.front()));
      contender.calls.push_back([primitive, left, right, to, stream = stream_] {
        const dnnl_exec_arg_t arguments[] = {
            {DNNL_ARG_SRC, left.get()}, {DNNL_ARG_WEIGHTS, right.get()}, {DNNL_ARG_DST, to.get()}};
        dnnl_primitive_execute(primitive.get(), stream.get(), 3, arguments);
        dnnl_stream_wait(stream.get());
      });
    }
    return contender;
  }

  // Returns the constant as the primitive wants its weights, in memory of the library's.
  absl::StatusOr<Memory> Constant(const PeerGraph::Constant& constant, const PrimitiveDesc& desc) const {
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc plain, Describe(constant.dims, DenseStrides(constant.dims)));
    BURIN_ASSIGN_OR_RETURN(const Memory from, Wrap(plain, const_cast<float*>(constant.values.data())));
    const const_dnnl_memory_desc_t wanted = dnnl_primitive_desc_query_md(desc.get(), dnnl_query_weights_md, 0);
    BURIN_ASSIGN_OR_RETURN(const Memory to, Allocate(wanted));
    BURIN_RETURN_IF_ERROR(Convert(plain.get(), from, wanted, to));
    return to;
  }

  // Of convolutions and poolings of images, in each of the forms that the library has them in. Tensors are brought into
  // that form ahead.
  absl::StatusOr<std::vector<PeerContender>> OverWindows(const PeerGraph& graph) const {
    std::vector<PeerContender> contenders;
    if (graph.inputs.front().dims.size() != 4) return contenders;
    std::vector<PrimitiveDesc> taken;
    for (const Format& format : kFormats) {
      // Poolings take what there is.
      if (graph.constants.empty() && format.tag == dnnl_format_tag_any) continue;
      BURIN_ASSIGN_OR_RETURN(const MemoryDesc in, InForm(graph.inputs.front().dims, format.tag));
      BURIN_ASSIGN_OR_RETURN(const MemoryDesc out, InForm(graph.outputs.front().dims, format.tag));
      BURIN_ASSIGN_OR_RETURN(const PrimitiveDesc desc, graph.constants.empty() ? Pooling(graph.nodes.front(), in, out)
                                                                               : Convolution(graph, in, out));
      // Not every form has a kernel; and the best one may be one of the others.
      if (desc == nullptr) continue;
      const auto source_of = [](const PrimitiveDesc& of) {
        return dnnl_primitive_desc_query_md(of.get(), dnnl_query_src_md, 0);
      };
      bool is_new = true;
      for (const PrimitiveDesc& other : taken) {
        is_new = is_new && dnnl_memory_desc_equal(source_of(other), source_of(desc)) == 0;
      }
      if (!is_new) continue;
      taken.push_back(desc);
      BURIN_ASSIGN_OR_RETURN(PeerContender contender, InOwnForm(graph, desc));
      // Which is there to be right alone.
      if (absl::StartsWith(contender.implementation, "ref")) continue;
      contender.variant = format.name;
      contenders.push_back(std::move(contender));
    }
    return contenders;
  }

  static absl::StatusOr<MemoryDesc> InForm(const std::vector<int64_t>& dims, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t desc = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(dnnl_memory_desc_create_with_tag(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32, tag),
                 "a tensor in a form"));
    return Own(desc, dnnl_memory_desc_destroy);
  }

  // The dimensions of the weights, with one for the groups where there are several.
  static std::vector<int64_t> WeightDims(const PeerGraph& graph, int64_t groups) {
    std::vector<int64_t> dims = graph.constants.front().dims;
    if (groups == 1) return dims;
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
    return dims;
  }

  // Null where there is no kernel.
  absl::StatusOr<PrimitiveDesc> Convolution(const PeerGraph& graph, const MemoryDesc& in, const MemoryDesc& out) const {
    const Windows windows = Windows::Of(graph.nodes.front());
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc weights, InForm(WeightDims(graph, windows.group), dnnl_format_tag_any));
    dnnl_primitive_desc_t created = nullptr;
    const dnnl_status_t status = dnnl_convolution_forward_primitive_desc_create(
        &created, engine_.get(), dnnl_forward_inference, dnnl_convolution_direct, in.get(), weights.get(), nullptr,
        out.get(), windows.strides, windows.dilations, windows.pads_begin, windows.pads_end, nullptr);
    if (status == dnnl_unimplemented) return PrimitiveDesc();
    BURIN_RETURN_IF_ERROR(ToStatus(status, "a convolution"));
    return Own(created, dnnl_primitive_desc_destroy);
  }

  // Null where there is no kernel.
  absl::StatusOr<PrimitiveDesc> Pooling(const PeerGraph::Node& node, const MemoryDesc& in,
                                        const MemoryDesc& out) const {
    const Windows windows = Windows::Of(node);
    const dnnl_alg_kind_t kind = node.type == "MaxPool"  ? dnnl_pooling_max
                                 : windows.count_padding ? dnnl_pooling_avg_include_padding
                                                         : dnnl_pooling_avg_exclude_padding;
    dnnl_primitive_desc_t created = nullptr;
    const dnnl_status_t status = dnnl_pooling_forward_primitive_desc_create(
        &created, engine_.get(), dnnl_forward_inference, kind, in.get(), out.get(), windows.strides, windows.kernel,
        windows.dilations, windows.pads_begin, windows.pads_end, nullptr);
    if (status == dnnl_unimplemented) return PrimitiveDesc();
    BURIN_RETURN_IF_ERROR(ToStatus(status, "a pooling"));
    return Own(created, dnnl_primitive_desc_destroy);
  }

  // Has the primitive work on tensors of the library's, of which the inputs are filled now.
  absl::StatusOr<PeerContender> InOwnForm(const PeerGraph& graph, const PrimitiveDesc& desc) const {
    PeerContender contender;
    contender.timed = kTimed;
    BURIN_ASSIGN_OR_RETURN(const Primitive primitive, Make(desc, &contender.implementation));
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc plain_in, InForm(graph.inputs.front().dims, dnnl_nchw));
    BURIN_ASSIGN_OR_RETURN(const MemoryDesc plain_out, InForm(graph.outputs.front().dims, dnnl_nchw));
    const const_dnnl_memory_desc_t in = dnnl_primitive_desc_query_md(desc.get(), dnnl_query_src_md, 0);
    const const_dnnl_memory_desc_t out = dnnl_primitive_desc_query_md(desc.get(), dnnl_query_dst_md, 0);
    Memory weights;
    if (!graph.constants.empty()) {
      PeerGraph::Constant constant = graph.constants.front();
      constant.dims = WeightDims(graph, Windows::Of(graph.nodes.front()).group);
      BURIN_ASSIGN_OR_RETURN(weights, Constant(constant, desc));
    }
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      BURIN_ASSIGN_OR_RETURN(const Memory given, Wrap(plain_in, const_cast<float*>(buffers.in[0])));
      BURIN_ASSIGN_OR_RETURN(const Memory from, Allocate(in));
      BURIN_RETURN_IF_ERROR(Convert(plain_in.get(), given, in, from));
      BURIN_ASSIGN_OR_RETURN(const Memory to, Allocate(out));
      contender.calls.push_back([primitive, weights, from, to, stream = stream_] {
        const dnnl_exec_arg_t arguments[] = {
            {DNNL_ARG_SRC, from.get()}, {DNNL_ARG_DST, to.get()}, {DNNL_ARG_WEIGHTS, weights.get()}};
        dnnl_primitive_execute(primitive.get(), stream.get(), weights == nullptr ? 2 : 3, arguments);
        dnnl_stream_wait(stream.get());
      });
      if (contender.finish) continue;
      BURIN_ASSIGN_OR_RETURN(const Memory result, Wrap(plain_out, buffers.out[0]));
      contender.finish = [this, desc, plain_out, to, result, out] { (void)Convert(out, to, plain_out.get(), result); };
    }
    return contender;
  }

  absl::StatusOr<Memory> Allocate(const_dnnl_memory_desc_t desc) const {
    dnnl_memory_t memory = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(dnnl_memory_create(&memory, desc, engine_.get(), DNNL_MEMORY_ALLOCATE), "a buffer of its own"));
    return Own(memory, dnnl_memory_destroy);
  }

  absl::Status Convert(const_dnnl_memory_desc_t from_desc, const Memory& from, const_dnnl_memory_desc_t to_desc,
                       const Memory& to) const {
    dnnl_primitive_desc_t created = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(
        dnnl_reorder_primitive_desc_create(&created, from_desc, engine_.get(), to_desc, engine_.get(), nullptr),
        "a reorder"));
    const PrimitiveDesc reorder = Own(created, dnnl_primitive_desc_destroy);
    std::string implementation;
    BURIN_ASSIGN_OR_RETURN(const Primitive primitive, Make(reorder, &implementation));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
    BURIN_RETURN_IF_ERROR(ToStatus(dnnl_primitive_execute(primitive.get(), stream_.get(), 2, arguments), "to reorder"));
    return ToStatus(dnnl_stream_wait(stream_.get()), "to reorder");
  }

  absl::StatusOr<PrimitiveDesc> Softmax(const MemoryDesc& tensor, int axis) const {
    dnnl_primitive_desc_t desc = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(
        dnnl_softmax_forward_primitive_desc_create(&desc, engine_.get(), dnnl_forward_inference, dnnl_softmax_accurate,
                                                   tensor.get(), tensor.get(), axis, nullptr),
        "a softmax"));
    return Own(desc, dnnl_primitive_desc_destroy);
  }

  absl::StatusOr<PrimitiveDesc> LayerNorm(const MemoryDesc& tensor) const {
    constexpr float kEpsilon = 1e-5f;
    dnnl_primitive_desc_t desc = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(dnnl_layer_normalization_forward_primitive_desc_create(
                                       &desc, engine_.get(), dnnl_forward_inference, tensor.get(), tensor.get(),
                                       nullptr, kEpsilon, dnnl_use_scale | dnnl_use_shift, nullptr),
                                   "a layer normalization"));
    return Own(desc, dnnl_primitive_desc_destroy);
  }

  // The primitive, and what the library calls it.
  static absl::StatusOr<Primitive> Make(const PrimitiveDesc& desc, std::string* implementation) {
    const char* name = nullptr;
    if (dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &name) == dnnl_success) {
      *implementation = name;
    }
    dnnl_primitive_t created = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(dnnl_primitive_create(&created, desc.get()), "a primitive"));
    return Own(created, dnnl_primitive_destroy);
  }

  absl::StatusOr<PrimitiveDesc> Eltwise(dnnl_alg_kind_t kind, const MemoryDesc& tensor) const {
    dnnl_primitive_desc_t desc = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(dnnl_eltwise_forward_primitive_desc_create(&desc, engine_.get(), dnnl_forward_inference, kind,
                                                            tensor.get(), tensor.get(), 0, 0, nullptr),
                 "an eltwise primitive"));
    return Own(desc, dnnl_primitive_desc_destroy);
  }

  absl::StatusOr<PrimitiveDesc> Reorder(const MemoryDesc& in, const MemoryDesc& out) const {
    dnnl_primitive_desc_t desc = nullptr;
    BURIN_RETURN_IF_ERROR(
        ToStatus(dnnl_reorder_primitive_desc_create(&desc, in.get(), engine_.get(), out.get(), engine_.get(), nullptr),
                 "a reorder"));
    return Own(desc, dnnl_primitive_desc_destroy);
  }

  absl::StatusOr<Memory> Wrap(const MemoryDesc& desc, void* data) const {
    dnnl_memory_t memory = nullptr;
    BURIN_RETURN_IF_ERROR(ToStatus(dnnl_memory_create(&memory, desc.get(), engine_.get(), data), "a buffer"));
    return Own(memory, dnnl_memory_destroy);
  }

  // The primitive with the buffers of each copy.
  absl::StatusOr<PeerContender> Bind(const PrimitiveDesc& desc, const MemoryDesc& in, const MemoryDesc& out,
                                     const PeerWork& work) const {
    PeerContender contender;
    contender.timed = kTimed;
    BURIN_ASSIGN_OR_RETURN(const Primitive primitive, Make(desc, &contender.implementation));
    for (const PeerWork::Buffers& buffers : work.copies) {
      BURIN_ASSIGN_OR_RETURN(const Memory from, Wrap(in, const_cast<float*>(buffers.in)));
      BURIN_ASSIGN_OR_RETURN(const Memory to, Wrap(out, buffers.out));
      contender.calls.push_back([primitive, from, to, stream = stream_] {
        const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
        dnnl_primitive_execute(primitive.get(), stream.get(), 2, arguments);
        dnnl_stream_wait(stream.get());
      });
    }
    return contender;
  }

  Engine engine_;
  Stream stream_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Peer>> OneDnnPeer() {
  omp_set_num_threads(1);
  dnnl_engine_t engine = nullptr;
  BURIN_RETURN_IF_ERROR(ToStatus(dnnl_engine_create(&engine, dnnl_cpu, 0), "an engine"));
  const Engine owned_engine = Own(engine, dnnl_engine_destroy);
  dnnl_stream_t stream = nullptr;
  BURIN_RETURN_IF_ERROR(ToStatus(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), "a stream"));
  return std::make_shared<OneDnn>(owned_engine, Own(stream, dnnl_stream_destroy));
}

}  // namespace burin::peers

#else

namespace burin::peers {

absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> OneDnnPeer() { return std::shared_ptr<kernel_bench::Peer>(); }

}  // namespace burin::peers

#endif  // BURIN_PEER_ONEDNN

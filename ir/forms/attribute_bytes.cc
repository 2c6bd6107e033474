#include "ir/forms/attribute_bytes.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/partial_shape.h"

namespace burin::ir {
namespace {

// Tells how a value is encoded. The numeric values go into files.
enum class Kind : uint8_t {
  kBool = 1,
  kInt = 2,
  kDouble = 3,
  kString = 4,
  kInts = 5,
  kDoubles = 6,
  kStrings = 7,
  kElementType = 8,
  kShape = 9,
  kTensor = 10,
  kEnum = 11,
};

// The bytes that an attribute takes at least: two lengths and the kind.
constexpr size_t kLeastAttributeBytes = 2 * kCountBytes + 1;

class AttributeWriter final : public AttributeVisitor {
 public:
  explicit AttributeWriter(ConstantWriter* constants) : constants_(constants) {}

  void Visit(const char* name, bool& value) override {
    Add(name, Kind::kBool, [&](ByteWriter* out) { out->Write(static_cast<uint8_t>(value)); });
  }
  void Visit(const char* name, int64_t& value) override {
    Add(name, Kind::kInt, [&](ByteWriter* out) { out->Write(value); });
  }
  void Visit(const char* name, double& value) override {
    Add(name, Kind::kDouble, [&](ByteWriter* out) { out->Write(value); });
  }
  void Visit(const char* name, std::string& value) override {
    Add(name, Kind::kString, [&](ByteWriter* out) { out->WriteString(value); });
  }
  void Visit(const char* name, std::vector<int64_t>& value) override { AddNumbers(name, Kind::kInts, value); }
  void Visit(const char* name, std::vector<double>& value) override { AddNumbers(name, Kind::kDoubles, value); }
  void Visit(const char* name, std::vector<std::string>& value) override {
    Add(name, Kind::kStrings, [&](ByteWriter* out) {
      out->WriteCount(value.size());
      for (const std::string& element : value) out->WriteString(element);
    });
  }
  void Visit(const char* name, ElementType& value) override {
    Add(name, Kind::kElementType, [&](ByteWriter* out) { out->Write(static_cast<uint8_t>(value)); });
  }
  void Visit(const char* name, PartialShape& value) override {
    Add(name, Kind::kShape, [&](ByteWriter* out) { out->WriteShape(value); });
  }
  void Visit(const char* name, Tensor& value) override {
    Add(name, Kind::kTensor, [&](ByteWriter* out) { WriteTensor(value, out); });
  }

  size_t count() const { return count_; }
  const std::string& bytes() const { return out_.bytes(); }
  const absl::Status& status() const { return status_; }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Add(name, Kind::kEnum, [&](ByteWriter* out) { out->WriteString(names[static_cast<size_t>(index)]); });
  }

 private:
  template <class WriteValue>
  void Add(const char* name, Kind kind, WriteValue write_value) {
    ByteWriter value;
    write_value(&value);
    out_.WriteString(name);
    out_.Write(static_cast<uint8_t>(kind));
    out_.WriteString(value.bytes());
    ++count_;
  }

  template <class T>
  void AddNumbers(const char* name, Kind kind, const std::vector<T>& value) {
    Add(name, kind, [&](ByteWriter* out) {
      out->WriteCount(value.size());
      for (const T element : value) out->Write(element);
    });
  }

  // Without a value: an undefined type alone.
  void WriteTensor(const Tensor& tensor, ByteWriter* out) {
    out->Write(static_cast<uint8_t>(tensor.has_value() ? tensor.element_type() : ElementType::kUndefined));
    if (!tensor.has_value()) return;
    const absl::StatusOr<uint64_t> offset = constants_->Add(tensor);
    if (!offset.ok()) {
      status_.Update(offset.status());
      return;
    }
    out->WriteCount(tensor.shape().size());
    for (const int64_t dim : tensor.shape()) out->Write(dim);
    out->Write(*offset);
  }

  ConstantWriter* const constants_;
  ByteWriter out_;
  size_t count_ = 0;
  absl::Status status_;
};

// Where an attribute's value lies.
struct Encoded {
  Kind kind;
  absl::string_view value;
};

class AttributeReader final : public AttributeVisitor {
 public:
  AttributeReader(absl::flat_hash_map<absl::string_view, Encoded>* attributes, ConstantReader* constants)
      : attributes_(attributes), constants_(constants) {}

  void Visit(const char* name, bool& value) override {
    Assign(name, Kind::kBool, &value, [](ByteReader* in) -> absl::StatusOr<bool> {
      BURIN_ASSIGN_OR_RETURN(const uint8_t byte, in->Read<uint8_t>());
      if (byte > 1) return absl::DataLossError("A boolean is neither 0 nor 1");
      return byte == 1;
    });
  }
  void Visit(const char* name, int64_t& value) override { AssignNumber(name, Kind::kInt, &value); }
  void Visit(const char* name, double& value) override { AssignNumber(name, Kind::kDouble, &value); }
  void Visit(const char* name, std::string& value) override { Assign(name, Kind::kString, &value, ReadText); }
  void Visit(const char* name, std::vector<int64_t>& value) override {
    AssignList(name, Kind::kInts, sizeof(int64_t), &value, [](ByteReader* in) { return in->Read<int64_t>(); });
  }
  void Visit(const char* name, std::vector<double>& value) override {
    AssignList(name, Kind::kDoubles, sizeof(double), &value, [](ByteReader* in) { return in->Read<double>(); });
  }
  void Visit(const char* name, std::vector<std::string>& value) override {
    AssignList(name, Kind::kStrings, kCountBytes, &value, ReadText);
  }
  void Visit(const char* name, ElementType& value) override { Assign(name, Kind::kElementType, &value, ReadType); }
  void Visit(const char* name, PartialShape& value) override {
    Assign(name, Kind::kShape, &value, [](ByteReader* in) { return in->ReadShape(); });
  }
  void Visit(const char* name, Tensor& value) override {
    Assign(name, Kind::kTensor, &value, [this](ByteReader* in) { return ReadTensor(in); });
  }

  const absl::Status& status() const { return status_; }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Assign(name, Kind::kEnum, &index, [names](ByteReader* in) -> absl::StatusOr<int64_t> {
      BURIN_ASSIGN_OR_RETURN(const absl::string_view text, in->ReadString());
      const auto it = std::find(names.begin(), names.end(), text);
      if (it == names.end()) return absl::UnimplementedError("Unknown enumerator");
      return static_cast<int64_t>(it - names.begin());
    });
  }

 private:
  static absl::StatusOr<std::string> ReadText(ByteReader* in) {
    BURIN_ASSIGN_OR_RETURN(const absl::string_view text, in->ReadString());
    return std::string(text);
  }

  static absl::StatusOr<ElementType> ReadType(ByteReader* in) {
    BURIN_ASSIGN_OR_RETURN(const uint8_t value, in->Read<uint8_t>());
    const absl::StatusOr<ElementType> type = ElementTypeFromValue(value);
    if (!type.ok()) return absl::DataLossError(absl::StrCat("No element type has this value: ", value));
    return *type;
  }

  absl::StatusOr<Tensor> ReadTensor(ByteReader* in) {
    BURIN_ASSIGN_OR_RETURN(const ElementType type, ReadType(in));
    if (type == ElementType::kUndefined) return Tensor();
    BURIN_ASSIGN_OR_RETURN(const size_t rank, in->ReadCount(sizeof(int64_t)));
    Shape shape(rank);
    for (int64_t& dim : shape) {
      BURIN_ASSIGN_OR_RETURN(dim, in->Read<int64_t>());
    }
    BURIN_ASSIGN_OR_RETURN(const uint64_t offset, in->Read<uint64_t>());
    return constants_->Get(type, shape, offset);
  }

  template <class T>
  void AssignNumber(const char* name, Kind kind, T* value) {
    Assign(name, kind, value, [](ByteReader* in) { return in->Read<T>(); });
  }

  template <class T, class ReadElement>
  void AssignList(const char* name, Kind kind, size_t least_bytes, std::vector<T>* value, ReadElement read) {
    Assign(name, kind, value, [least_bytes, read](ByteReader* in) -> absl::StatusOr<std::vector<T>> {
      BURIN_ASSIGN_OR_RETURN(const size_t count, in->ReadCount(least_bytes));
      std::vector<T> elements(count);
      for (T& element : elements) {
        BURIN_ASSIGN_OR_RETURN(element, read(in));
      }
      return elements;
    });
  }

  template <class T, class ReadValue>
  void Assign(const char* name, Kind kind, T* value, ReadValue read) {
    const auto it = attributes_->find(name);
    if (!status_.ok() || it == attributes_->end()) return;
    const Encoded encoded = it->second;
    attributes_->erase(it);
    if (encoded.kind != kind) {
      status_ = absl::DataLossError(absl::StrCat("An attribute is of another kind: ", name));
      return;
    }
    ByteReader in(encoded.value);
    absl::StatusOr<T> result = read(&in);
    if (!result.ok()) {
      status_ = WithContext(result.status(), name);
    } else if (!in.AtEnd()) {
      status_ = absl::DataLossError(absl::StrCat("An attribute is longer than its value: ", name));
    } else {
      *value = *std::move(result);
    }
  }

  absl::flat_hash_map<absl::string_view, Encoded>* const attributes_;
  ConstantReader* const constants_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<uint64_t> ConstantWriter::Add(const Tensor& tensor) {
  BURIN_ASSIGN_OR_RETURN(Tensor dense, tensor.ToDense());
  if (dense.byte_size() == 0) return uint64_t{0};
  const std::pair<const void*, size_t> region(dense.data(), dense.byte_size());
  if (const auto it = offsets_.find(region); it != offsets_.end()) return it->second;
  const size_t offset = size_;
  offsets_.emplace(region, offset);
  // Keeps a copy made above alive, so that its address stays its own.
  tensors_.emplace_back(offset, std::move(dense));
  size_ = (offset + region.second + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
  return uint64_t{offset};
}

void ConstantWriter::AppendTo(std::string* bytes) const {
  const size_t begin = bytes->size();
  for (const auto& [offset, tensor] : tensors_) {
    bytes->resize(begin + offset);
    bytes->append(static_cast<const char*>(tensor.data()), tensor.byte_size());
  }
  bytes->resize(begin + size_);
}

absl::StatusOr<Tensor> ConstantReader::Get(ElementType type, const Shape& shape, uint64_t offset) {
  const auto lost = [](const absl::Status& status) { return absl::DataLossError(status.message()); };
  const absl::StatusOr<int64_t> count = ElementCount(shape);
  if (!count.ok()) return lost(count.status());
  const absl::StatusOr<size_t> size = BytesFor(type, *count);
  if (!size.ok()) return lost(size.status());
  if (offset > size_ || *size > size_ - offset) {
    return absl::DataLossError(
        absl::StrCat("A tensor of ", *size, " bytes passes the end of the constants at offset ", offset));
  }
  std::shared_ptr<Storage>& region = regions_[{offset, *size}];
  if (region == nullptr) {
    const char* const data = static_cast<const char*>(bytes_->data()) + begin_ + offset;
    region = Storage::Borrow(bytes_, data, *size);
  }
  absl::StatusOr<Tensor> tensor = Tensor::FromStorage(type, shape, region);
  if (!tensor.ok()) return lost(tensor.status());
  return tensor;
}

absl::Status WriteAttributes(const Attributes& attributes, ByteWriter* writer, ConstantWriter* constants) {
  AttributeWriter visitor(constants);
  attributes.VisitAttributes(visitor);
  BURIN_RETURN_IF_ERROR(visitor.status());
  writer->WriteCount(visitor.count());
  writer->WriteBytes(visitor.bytes());
  return absl::OkStatus();
}

absl::Status ReadAttributes(ByteReader* reader, ConstantReader* constants, Attributes* attributes) {
  BURIN_ASSIGN_OR_RETURN(const size_t count, reader->ReadCount(kLeastAttributeBytes));
  absl::flat_hash_map<absl::string_view, Encoded> encoded;
  for (size_t i = 0; i < count; ++i) {
    BURIN_ASSIGN_OR_RETURN(const absl::string_view name, reader->ReadString());
    BURIN_ASSIGN_OR_RETURN(const uint8_t kind, reader->Read<uint8_t>());
    BURIN_ASSIGN_OR_RETURN(const absl::string_view value, reader->ReadString());
    if (!encoded.emplace(name, Encoded{static_cast<Kind>(kind), value}).second) {
      return absl::DataLossError("An attribute is given twice");
    }
  }
  AttributeReader visitor(&encoded, constants);
  attributes->VisitAttributes(visitor);
  BURIN_RETURN_IF_ERROR(visitor.status());
  if (encoded.empty()) return absl::OkStatus();
  // The least name, so that the error does not depend on the order of a hash table.
  const auto first =
      std::min_element(encoded.begin(), encoded.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return absl::UnimplementedError(
      absl::StrCat("The op has no such attribute: '", absl::CEscape(first->first.substr(0, 64)), "'"));
}

}  // namespace burin::ir

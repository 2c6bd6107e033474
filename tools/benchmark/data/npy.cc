#include "tools/benchmark/data/npy.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/shape.h"

namespace burin::benchmark {

namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);
// More than any header of numbers needs; NumPy itself warns from there on.
constexpr size_t kMaxHeader = 10000;
// Where the data of a file that is written begins: at a multiple of so many bytes.
constexpr size_t kAlignment = 64;

// The header: a Python dictionary literal with exactly these three keys.
struct Header {
  std::string type;
  bool fortran_order = false;
  ir::Shape shape;
  bool has_type = false;
  bool has_order = false;
  bool has_shape = false;
};

absl::Status HeaderError(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("The .npy header is broken: ", what));
}

// Walks through the dictionary literal.
class HeaderParser {
 public:
  explicit HeaderParser(absl::string_view text) : rest_(text) {}

  absl::StatusOr<Header> Parse() {
    Header header;
    BURIN_RETURN_IF_ERROR(Expect('{'));
    while (!Take('}')) {
      BURIN_ASSIGN_OR_RETURN(absl::string_view key, Quoted());
      BURIN_RETURN_IF_ERROR(Expect(':'));
      BURIN_RETURN_IF_ERROR(Entry(key, &header));
      if (Take(',')) continue;
      BURIN_RETURN_IF_ERROR(Expect('}'));
      break;
    }
    SkipSpace();
    if (!rest_.empty()) return HeaderError("something follows the dictionary");
    if (!header.has_type || !header.has_order || !header.has_shape) {
      return HeaderError("expected the keys descr, fortran_order and shape");
    }
    return header;
  }

 private:
  absl::Status Entry(absl::string_view key, Header* header) {
    if (key == "descr" && !header->has_type) {
      header->has_type = true;
      if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(rest_), "[")) {
        return absl::UnimplementedError("Records in .npy files are not read");
      }
      BURIN_ASSIGN_OR_RETURN(absl::string_view type, Quoted());
      header->type = std::string(type);
      return absl::OkStatus();
    }
    if (key == "fortran_order" && !header->has_order) {
      header->has_order = true;
      SkipSpace();
      if (absl::ConsumePrefix(&rest_, "True")) {
        header->fortran_order = true;
      } else if (absl::ConsumePrefix(&rest_, "False")) {
        header->fortran_order = false;
      } else {
        return HeaderError("fortran_order must be True or False");
      }
      return absl::OkStatus();
    }
    if (key == "shape" && !header->has_shape) {
      header->has_shape = true;
      BURIN_ASSIGN_OR_RETURN(header->shape, Sizes());
      return absl::OkStatus();
    }
    return HeaderError(absl::StrCat("unexpected key \"", absl::CHexEscape(key), "\""));
  }

  absl::StatusOr<ir::Shape> Sizes() {
    BURIN_RETURN_IF_ERROR(Expect('('));
    ir::Shape shape;
    while (!Take(')')) {
      SkipSpace();
      const size_t digits = rest_.find_first_not_of("0123456789");
      int64_t size = 0;
      if (digits == absl::string_view::npos || !absl::SimpleAtoi(rest_.substr(0, digits), &size)) {
        return HeaderError("a size in the shape is no number");
      }
      rest_.remove_prefix(digits);
      shape.push_back(size);
      if (Take(',')) continue;
      BURIN_RETURN_IF_ERROR(Expect(')'));
      break;
    }
    return shape;
  }

  absl::StatusOr<absl::string_view> Quoted() {
    SkipSpace();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return HeaderError("expected a string");
    const size_t close = rest_.find(rest_.front(), 1);
    if (close == absl::string_view::npos) return HeaderError("a string does not end");
    const absl::string_view text = rest_.substr(1, close - 1);
    rest_.remove_prefix(close + 1);
    return text;
  }

  absl::Status Expect(char wanted) {
    if (Take(wanted)) return absl::OkStatus();
    return HeaderError(absl::StrCat("expected \"", std::string(1, wanted), "\""));
  }

  bool Take(char wanted) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void SkipSpace() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  absl::string_view rest_;
};

struct TypeName {
  const char* numpy;
  ElementType type;
};

constexpr TypeName kTypeNames[] = {
    {"<f2", ElementType::kF16}, {"<f4", ElementType::kF32},     {"<f8", ElementType::kF64}, {"<i2", ElementType::kI16},
    {"<i4", ElementType::kI32}, {"<i8", ElementType::kI64},     {"<u2", ElementType::kU16}, {"<u4", ElementType::kU32},
    {"<u8", ElementType::kU64}, {"|b1", ElementType::kBoolean}, {"|i1", ElementType::kI8},  {"|u1", ElementType::kU8},
};

absl::StatusOr<ElementType> TypeOf(absl::string_view type) {
  for (const TypeName& name : kTypeNames) {
    if (type == name.numpy) return name.type;
  }
  return absl::UnimplementedError(
      absl::StrCat("Element type of a .npy file is not read: \"", absl::CHexEscape(type), "\""));
}

uint32_t LittleEndian(absl::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

// Takes magic, version and header from the front of `bytes`; returns the header's text.
absl::StatusOr<absl::string_view> TakeHeader(absl::string_view* bytes) {
  if (!absl::ConsumePrefix(bytes, kMagic) || bytes->size() < 2) {
    return absl::InvalidArgumentError("This is no .npy file: it does not begin with \\x93NUMPY and a version");
  }
  const int version = static_cast<unsigned char>((*bytes)[0]);
  if (version < 1 || version > 3) {
    return absl::UnimplementedError(absl::StrCat("Version of a .npy file is not read: ", version));
  }
  bytes->remove_prefix(2);
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes->size() < length_bytes) return HeaderError("the file ends in it");
  const size_t length = LittleEndian(bytes->substr(0, length_bytes));
  bytes->remove_prefix(length_bytes);
  if (length > kMaxHeader) return HeaderError(absl::StrCat("it claims ", length, " bytes"));
  if (length > bytes->size()) return HeaderError("the file ends in it");
  const absl::string_view header = bytes->substr(0, length);
  bytes->remove_prefix(length);
  return header;
}

absl::StatusOr<absl::string_view> NameOf(ElementType type) {
  for (const TypeName& name : kTypeNames) {
    if (type == name.type) return absl::string_view(name.numpy);
  }
  return absl::UnimplementedError(absl::StrCat("Element type has none in a .npy file: ", Name(type)));
}

}  // namespace

absl::StatusOr<ir::Tensor> ParseNpy(absl::string_view bytes) {
  BURIN_ASSIGN_OR_RETURN(absl::string_view text, TakeHeader(&bytes));
  BURIN_ASSIGN_OR_RETURN(Header header, HeaderParser(text).Parse());
  BURIN_ASSIGN_OR_RETURN(ElementType type, TypeOf(header.type));
  if (header.fortran_order && header.shape.size() > 1) {
    return absl::UnimplementedError("A .npy file in Fortran order is not read");
  }
  BURIN_ASSIGN_OR_RETURN(int64_t count, ir::ElementCount(header.shape));
  BURIN_ASSIGN_OR_RETURN(size_t size, BytesFor(type, count));
  if (size != bytes.size()) {
    return absl::InvalidArgumentError(absl::StrCat("The .npy header says ", Name(type), ir::ToString(header.shape),
                                                   ", which is ", size, " bytes; ", bytes.size(), " follow"));
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(type, header.shape));
  if (size > 0) std::memcpy(tensor.mutable_data(), bytes.data(), size);
  return tensor;
}

absl::StatusOr<ir::Tensor> ReadNpy(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  absl::StatusOr<ir::Tensor> tensor = ParseNpy(bytes);
  if (!tensor.ok()) return WithContext(tensor.status(), path);
  return tensor;
}

absl::StatusOr<std::string> SerializeNpy(const ir::Tensor& tensor) {
  BURIN_ASSIGN_OR_RETURN(absl::string_view type, NameOf(tensor.element_type()));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, tensor.ToDense());
  // A tuple of one element ends in a comma.
  std::string header = absl::StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': (",
                                    absl::StrJoin(tensor.shape(), ", "), tensor.shape().size() == 1 ? ",), }" : "), }");
  // Behind magic, version and length it ends in a line break, at a multiple of 64 bytes.
  constexpr size_t kPrefix = kMagic.size() + 4;
  header.append(kAlignment - 1 - (kPrefix + header.size()) % kAlignment, ' ');
  header += '\n';
  const char version_and_length[] = {1, 0, static_cast<char>(header.size() & 0xff),
                                     static_cast<char>(header.size() >> 8)};
  return absl::StrCat(kMagic, absl::string_view(version_and_length, sizeof(version_and_length)), header,
                      absl::string_view(static_cast<const char*>(dense.data()), dense.byte_size()));
}

}  // namespace burin::benchmark

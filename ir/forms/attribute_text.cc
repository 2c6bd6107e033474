#include "ir/forms/attribute_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/forms/element_text.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

// A name prints bare where the scanner reads it as one word.
std::string WordOrQuoted(absl::string_view name) {
  const bool is_word = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
  return is_word ? std::string(name) : Quoted(name);
}

std::string TensorText(const Tensor& tensor, int64_t max_elements) {
  if (!tensor.has_value()) return "none";
  std::string text = absl::StrCat(Name(tensor.element_type()), ToString(tensor.shape()));
  const absl::StatusOr<Tensor> dense = tensor.ToDense();
  if (!dense.ok() || (max_elements >= 0 && tensor.element_count() > max_elements)) {
    absl::StrAppend(&text, "#", tensor.ContentHash().ToHex());
    return text;
  }
  text += "{";
  for (int64_t i = 0; i < dense->element_count(); ++i) {
    if (i > 0) text += ", ";
    AppendElementText(dense->element_type(), dense->data(), i, &text);
  }
  return text + "}";
}

class AttributePrinter final : public AttributeVisitor {
 public:
  explicit AttributePrinter(int64_t max_elements) : max_elements_(max_elements) {}

  void Visit(const char* name, bool& value) override { Add(name, value ? "true" : "false"); }
  void Visit(const char* name, int64_t& value) override { Add(name, absl::StrCat(value)); }
  void Visit(const char* name, double& value) override {
    std::string text;
    AppendDoubleText(value, &text);
    Add(name, std::move(text));
  }
  void Visit(const char* name, std::string& value) override { Add(name, Quoted(value)); }
  void Visit(const char* name, std::vector<int64_t>& value) override {
    AddList(name, value, [](int64_t element, std::string* text) { absl::StrAppend(text, element); });
  }
  void Visit(const char* name, std::vector<double>& value) override { AddList(name, value, AppendDoubleText); }
  void Visit(const char* name, std::vector<std::string>& value) override {
    AddList(name, value, [](const std::string& element, std::string* text) { *text += Quoted(element); });
  }
  void Visit(const char* name, ElementType& value) override { Add(name, std::string(Name(value))); }
  void Visit(const char* name, PartialShape& value) override { Add(name, value.ToString()); }
  void Visit(const char* name, Tensor& value) override { Add(name, TensorText(value, max_elements_)); }

  const std::vector<std::pair<const char*, std::string>>& entries() const { return entries_; }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Add(name, WordOrQuoted(names[static_cast<size_t>(index)]));
  }

 private:
  void Add(const char* name, std::string text) { entries_.emplace_back(name, std::move(text)); }

  template <class T, class Append>
  void AddList(const char* name, const std::vector<T>& values, Append append) {
    std::string text = "[";
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ", ";
      append(values[i], &text);
    }
    Add(name, text + "]");
  }

  const int64_t max_elements_;
  std::vector<std::pair<const char*, std::string>> entries_;
};

absl::StatusOr<Tensor> ParseTensor(TextScanner* scanner) {
  if (scanner->ConsumeWord("none")) return Tensor();
  const size_t begin = scanner->Position();
  BURIN_ASSIGN_OR_RETURN(const ElementType type, scanner->Type());
  BURIN_ASSIGN_OR_RETURN(const PartialShape shape, scanner->Shape());
  if (shape.is_dynamic()) return scanner->ErrorAt(begin, "The shape of a tensor is not static");
  if (scanner->Consume('#')) return scanner->ErrorAt(begin, "A tensor was printed without its elements");
  BURIN_RETURN_IF_ERROR(scanner->Expect('{'));
  const absl::StatusOr<int64_t> count = ElementCount(shape.ToShape());
  if (!count.ok()) return scanner->At(begin, count.status());
  // Each element takes a character at least: a shape of more elements than the text has is refused before it costs
  // memory.
  if (static_cast<uint64_t>(*count) > scanner->Remaining()) {
    return scanner->ErrorAt(begin, "A tensor has fewer elements than its shape says");
  }
  absl::StatusOr<Tensor> tensor = Tensor::CreateZeroed(type, shape.ToShape());
  if (!tensor.ok()) return scanner->At(begin, tensor.status());
  for (int64_t i = 0; i < *count; ++i) {
    if (i > 0) BURIN_RETURN_IF_ERROR(scanner->Expect(','));
    const size_t at = scanner->Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner->Word());
    if (!ParseElementText(word, type, tensor->mutable_data(), i)) {
      return scanner->ErrorAt(at, absl::StrCat("Not a value of type ", Name(type)));
    }
  }
  BURIN_RETURN_IF_ERROR(scanner->Expect('}'));
  return tensor;
}

absl::StatusOr<double> ParseDouble(TextScanner* scanner) {
  const size_t begin = scanner->Position();
  BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner->Word());
  double value = 0;
  if (!ParseDoubleText(word, &value)) return scanner->ErrorAt(begin, "Not a number");
  return value;
}

absl::StatusOr<bool> ParseBool(TextScanner* scanner) {
  if (scanner->ConsumeWord("true")) return true;
  if (scanner->ConsumeWord("false")) return false;
  return scanner->Error("Expected true or false");
}

template <class T>
absl::StatusOr<std::vector<T>> ParseList(TextScanner* scanner, absl::StatusOr<T> (*parse)(TextScanner*)) {
  std::vector<T> values;
  BURIN_RETURN_IF_ERROR(scanner->Expect('['));
  if (scanner->Consume(']')) return values;
  do {
    BURIN_ASSIGN_OR_RETURN(T value, parse(scanner));
    values.push_back(std::move(value));
  } while (scanner->Consume(','));
  BURIN_RETURN_IF_ERROR(scanner->Expect(']'));
  return values;
}

absl::StatusOr<int64_t> ParseInteger(TextScanner* scanner) { return scanner->Integer(); }
absl::StatusOr<std::string> ParseString(TextScanner* scanner) { return scanner->String(); }
// Takes a whole text as it is where it does not begin with a quote.
absl::StatusOr<std::string> ParseBareString(TextScanner* scanner) {
  return absl::StartsWith(scanner->text(), "\"") ? scanner->String() : scanner->Rest();
}
absl::StatusOr<ElementType> ParseType(TextScanner* scanner) { return scanner->Type(); }
absl::StatusOr<PartialShape> ParseShape(TextScanner* scanner) { return scanner->Shape(); }

// The texts of attributes by name; an AttributeParser takes out those that it assigns.
using AttributeTexts = absl::flat_hash_map<std::string, TextScanner>;

class AttributeParser final : public AttributeVisitor {
 public:
  // With `bare_strings`, a string may stand without quotes.
  AttributeParser(AttributeTexts* texts, bool bare_strings) : texts_(texts), bare_strings_(bare_strings) {}

  void Visit(const char* name, bool& value) override { Assign(name, &value, ParseBool); }
  void Visit(const char* name, int64_t& value) override { Assign(name, &value, ParseInteger); }
  void Visit(const char* name, double& value) override { Assign(name, &value, ParseDouble); }
  void Visit(const char* name, std::string& value) override {
    Assign(name, &value, bare_strings_ ? ParseBareString : ParseString);
  }
  void Visit(const char* name, std::vector<int64_t>& value) override { AssignList(name, &value, ParseInteger); }
  void Visit(const char* name, std::vector<double>& value) override { AssignList(name, &value, ParseDouble); }
  void Visit(const char* name, std::vector<std::string>& value) override { AssignList(name, &value, ParseString); }
  void Visit(const char* name, ElementType& value) override { Assign(name, &value, ParseType); }
  void Visit(const char* name, PartialShape& value) override { Assign(name, &value, ParseShape); }
  void Visit(const char* name, Tensor& value) override { Assign(name, &value, ParseTensor); }

  const absl::Status& status() const { return status_; }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Assign(name, &index, [names](TextScanner* scanner) -> absl::StatusOr<int64_t> {
      const size_t begin = scanner->Position();
      absl::StatusOr<std::string> word = scanner->String();
      if (!word.ok()) {
        BURIN_ASSIGN_OR_RETURN(const absl::string_view bare, scanner->Word());
        word = std::string(bare);
      }
      const auto it = std::find(names.begin(), names.end(), *word);
      if (it == names.end()) return scanner->ErrorAt(begin, "No value of the enumeration has this name");
      return static_cast<int64_t>(it - names.begin());
    });
  }

 private:
  template <class T, class Parse>
  void Assign(const char* name, T* value, Parse parse) {
    const auto it = texts_->find(name);
    if (!status_.ok() || it == texts_->end()) return;
    TextScanner scanner = it->second;
    texts_->erase(it);
    absl::StatusOr<T> parsed = parse(&scanner);
    status_ = parsed.ok() ? scanner.ExpectEnd() : parsed.status();
    if (status_.ok()) *value = *std::move(parsed);
  }

  template <class T>
  void AssignList(const char* name, std::vector<T>* value, absl::StatusOr<T> (*parse)(TextScanner*)) {
    Assign(name, value, [parse](TextScanner* scanner) { return ParseList(scanner, parse); });
  }

  AttributeTexts* const texts_;
  const bool bare_strings_;
  absl::Status status_;
};

}  // namespace

std::string PrintAttributes(const Attributes& attributes, const Attributes& defaults, int64_t max_elements) {
  AttributePrinter actual(max_elements);
  AttributePrinter expected(max_elements);
  attributes.VisitAttributes(actual);
  defaults.VisitAttributes(expected);
  std::string text;
  for (size_t i = 0; i < actual.entries().size(); ++i) {
    if (actual.entries()[i].second == expected.entries()[i].second) continue;
    const auto& [name, value] = actual.entries()[i];
    absl::StrAppend(&text, text.empty() ? "{" : ", ", name, " = ", value);
  }
  if (!text.empty()) text += "}";
  return text;
}

absl::Status ParseAttributes(TextScanner* scanner, Attributes* attributes) {
  if (!scanner->Consume('{')) return absl::OkStatus();
  if (scanner->Consume('}')) return absl::OkStatus();
  AttributeTexts texts;
  do {
    const size_t begin = scanner->Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view name, scanner->Word());
    BURIN_RETURN_IF_ERROR(scanner->Expect('='));
    BURIN_ASSIGN_OR_RETURN(TextScanner value, scanner->Piece());
    if (!texts.emplace(name, value).second) return scanner->ErrorAt(begin, "An attribute is given twice");
  } while (scanner->Consume(','));
  BURIN_RETURN_IF_ERROR(scanner->Expect('}'));
  AttributeParser parser(&texts, /*bare_strings=*/false);
  attributes->VisitAttributes(parser);
  BURIN_RETURN_IF_ERROR(parser.status());
  if (texts.empty()) return absl::OkStatus();
  // The first in the text, so that the error does not depend on the order of a hash table.
  const auto first = std::min_element(texts.begin(), texts.end(),
                                      [](auto& a, auto& b) { return a.second.Position() < b.second.Position(); });
  const std::string name = absl::CEscape(first->first.substr(0, 64));
  return scanner->ErrorAt(first->second.Position(), absl::StrCat("The op has no such attribute: '", name, "'"));
}

std::vector<std::pair<std::string, std::string>> AttributeTextsOf(const Attributes& attributes, int64_t max_elements) {
  AttributePrinter printer(max_elements);
  attributes.VisitAttributes(printer);
  return std::vector<std::pair<std::string, std::string>>(printer.entries().begin(), printer.entries().end());
}

absl::Status ParseAttribute(absl::string_view name, absl::string_view text, Attributes* attributes) {
  AttributeTexts texts;
  texts.emplace(name, TextScanner(text));
  AttributeParser parser(&texts, /*bare_strings=*/true);
  attributes->VisitAttributes(parser);
  if (texts.empty()) return WithContext(parser.status(), absl::StrCat("Attribute '", name, "'"));
  std::vector<std::string> known;
  for (const auto& entry : AttributeTextsOf(*attributes, 0)) known.push_back(entry.first);
  return absl::InvalidArgumentError(
      absl::StrCat("The op has no such attribute: '", absl::CEscape(name), "'; it has: ", absl::StrJoin(known, ", ")));
}

}  // namespace burin::ir

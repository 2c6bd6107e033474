#include "tools/inspect/drawing.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/op_code.h"

namespace burin::inspect {

namespace {

constexpr int64_t kBoxWidth = 220;
constexpr int64_t kBoxHeight = 46;
constexpr int64_t kColumnStep = 250;
constexpr int64_t kRowStep = 90;
constexpr int64_t kMargin = 20;
constexpr size_t kMaxLabel = 34;

struct Box {
  ir::NodeId id;
  int64_t row = 0;
  int64_t column = 0;
  std::string title;   // Operation and constants.
  std::string detail;  // Name.
};

struct Line {
  size_t from;
  size_t to;
  std::string label;
};

// Boxes in topological order, and the values between them.
struct Drawing {
  std::vector<Box> boxes;
  std::vector<Line> lines;
  std::vector<int64_t> row_sizes;
};

std::string Describe(const ir::ValueInfo& info) { return absl::StrCat(Name(info.type), info.shape.ToString()); }

std::string Shorten(const std::string& text) {
  if (text.size() <= kMaxLabel) return text;
  return absl::StrCat(text.substr(0, kMaxLabel - 3), "...");
}

absl::StatusOr<Drawing> Arrange(const ir::Model& model) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  Drawing drawing;
  std::vector<int64_t> box_of(static_cast<size_t>(model.id_bound()), -1);
  for (ir::NodeId id : order) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kConstant) continue;
    Box box;
    box.id = id;
    box.title = node.op().name;
    box.detail = node.name();
    for (ir::Value value : node.inputs()) {
      if (!value.exists()) continue;
      const int64_t source = box_of[static_cast<size_t>(ir::Index(value.node))];
      if (source < 0) {
        absl::StrAppend(&box.title, " ", model.info(value).shape.ToString());
        continue;
      }
      box.row = std::max(box.row, drawing.boxes[static_cast<size_t>(source)].row + 1);
      drawing.lines.push_back({static_cast<size_t>(source), drawing.boxes.size(), Describe(model.info(value))});
    }
    if (static_cast<size_t>(box.row) >= drawing.row_sizes.size())
      drawing.row_sizes.resize(static_cast<size_t>(box.row) + 1);
    box.column = drawing.row_sizes[static_cast<size_t>(box.row)]++;
    box_of[static_cast<size_t>(ir::Index(id))] = static_cast<int64_t>(drawing.boxes.size());
    drawing.boxes.push_back(std::move(box));
  }
  return drawing;
}

std::string EscapeDot(const std::string& text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}});
}

// Control characters are not allowed in XML at all.
std::string EscapeXml(const std::string& text) {
  std::string escaped = absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
  std::replace_if(
      escaped.begin(), escaped.end(), [](unsigned char c) { return c < 0x20; }, '?');
  return escaped;
}

}  // namespace

absl::StatusOr<std::string> DrawDot(const ir::Model& model) {
  BURIN_ASSIGN_OR_RETURN(const Drawing drawing, Arrange(model));
  std::string text = absl::StrCat("digraph \"", EscapeDot(model.name()), "\" {\n  node [shape=box];\n");
  for (size_t i = 0; i < drawing.boxes.size(); ++i) {
    absl::StrAppend(&text, "  n", i, " [label=\"", EscapeDot(drawing.boxes[i].title), "\\n",
                    EscapeDot(drawing.boxes[i].detail), "\"];\n");
  }
  for (const Line& line : drawing.lines) {
    absl::StrAppend(&text, "  n", line.from, " -> n", line.to, " [label=\"", EscapeDot(line.label), "\"];\n");
  }
  absl::StrAppend(&text, "}\n");
  return text;
}

absl::StatusOr<std::string> DrawSvg(const ir::Model& model) {
  BURIN_ASSIGN_OR_RETURN(const Drawing drawing, Arrange(model));
  const int64_t widest =
      drawing.row_sizes.empty() ? 1 : *std::max_element(drawing.row_sizes.begin(), drawing.row_sizes.end());
  const int64_t width = 2 * kMargin + widest * kColumnStep;
  const int64_t height = 2 * kMargin + static_cast<int64_t>(drawing.row_sizes.size()) * kRowStep;
  const auto left = [&](const Box& box) {
    const int64_t row_width = drawing.row_sizes[static_cast<size_t>(box.row)] * kColumnStep;
    return kMargin + (widest * kColumnStep - row_width) / 2 + box.column * kColumnStep;
  };
  const auto top = [](const Box& box) { return kMargin + box.row * kRowStep; };

  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\">\n"
      "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height, EscapeXml(model.name()));
  for (const Line& line : drawing.lines) {
    const Box& from = drawing.boxes[line.from];
    const Box& to = drawing.boxes[line.to];
    const int64_t x1 = left(from) + kBoxWidth / 2, y1 = top(from) + kBoxHeight;
    const int64_t x2 = left(to) + kBoxWidth / 2, y2 = top(to);
    absl::StrAppendFormat(
        &text, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"#888\"><title>%s</title></path>\n", x1, y1,
        x1, y1 + kRowStep / 3, x2, y2 - kRowStep / 3, x2, y2, EscapeXml(line.label));
    absl::StrAppendFormat(&text, "<text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#666\">%s</text>\n", x2 + 3, y2 - 4,
                          EscapeXml(Shorten(line.label)));
  }
  for (const Box& box : drawing.boxes) {
    absl::StrAppendFormat(&text,
                          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"#eef3fa\" "
                          "stroke=\"#345\"/>\n",
                          left(box), top(box), kBoxWidth, kBoxHeight);
    absl::StrAppendFormat(&text, "<text x=\"%d\" y=\"%d\" font-size=\"12\">%s</text>\n", left(box) + 8, top(box) + 18,
                          EscapeXml(Shorten(box.title)));
    absl::StrAppendFormat(&text, "<text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#555\">%s</text>\n", left(box) + 8,
                          top(box) + 35, EscapeXml(Shorten(box.detail)));
  }
  absl::StrAppend(&text, "</svg>\n");
  return text;
}

}  // namespace burin::inspect

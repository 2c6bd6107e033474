#include "runtime/plugins/cpu/nodes/movement/strided_slice_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

constexpr char kParameter[] = "model \"\" {\n  %0 \"x\" = Parameter() {element_type = ";

// The lists are contents, such as "1, 2", of `count` integers.
std::string Lists(const std::string& type, const std::string& shape, int count, const std::string& begin,
                  const std::string& end, const std::string& step) {
  return absl::StrCat(kParameter, type, ", shape = ", shape, "}\n  %1 \"b\" = Constant() {value = i64[", count, "]{",
                      begin, "}}\n  %2 \"e\" = Constant() {value = i64[", count, "]{", end,
                      "}}\n  %3 \"s\" = Constant() {value = i64[", count, "]{", step, "}}\n");
}

std::string StridedSlice(const std::string& lists, const std::string& attributes = "") {
  return absl::StrCat(lists, "  %4 \"t\" = StridedSlice(%0, %1, %2, %3) {", attributes,
                      "}\n  %5 \"y\" = Result(%4)\n}");
}

std::string Slice(const std::string& lists) {
  return absl::StrCat(lists, "  %4 \"t\" = Slice(%0, %1, %2, %3)\n  %5 \"y\" = Result(%4)\n}");
}

std::string SliceAxes(const std::string& lists, const std::string& axes) {
  return absl::StrCat(lists, "  %4 \"a\" = Constant() {value = i64", axes,
                      "}\n  %5 \"t\" = Slice(%0, %1, %2, %3, %4)\n  %6 \"y\" = Result(%5)\n}");
}

TEST(StridedSliceNodeTest, Ranges) {
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 2, "1, 2", "4, 37", "1, 1")), "StridedSlice");
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 2, "0, 1", "5, 40", "2, 3")), "StridedSlice");
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 1, "-2", "1000", "1")), "StridedSlice");
}

TEST(StridedSliceNodeTest, Backwards) {
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 2, "-1, -1", "0, -100", "-1, -1")), "StridedSlice");
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 2, "4, 38", "1, 3", "-2, -5")), "StridedSlice");
}

TEST(StridedSliceNodeTest, Masks) {
  const std::string lists = Lists("f32", "[4, 5, 6]", 3, "1, 2, 1", "3, 4, 5", "1, 1, 2");
  ExpectNode(StridedSlice(lists, "begin_mask = [1, 0, 1], end_mask = [0, 1]"), "StridedSlice");
  ExpectNode(StridedSlice(lists, "new_axis_mask = [0, 1]"), "StridedSlice");
  ExpectNode(StridedSlice(lists, "shrink_axis_mask = [0, 1]"), "StridedSlice");
  ExpectNode(StridedSlice(lists, "ellipsis_mask = [0, 1], shrink_axis_mask = [1]"), "StridedSlice");
  ExpectNode(StridedSlice(lists, "shrink_axis_mask = [1, 1, 1]"), "StridedSlice");
}

TEST(StridedSliceNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "f16", "i32", "i64"}) {
    ExpectNode(StridedSlice(Lists(type, "[5, 40]", 2, "1, 38", "4, 0", "1, -3")), "StridedSlice");
  }
}

TEST(StridedSliceNodeTest, NothingToMove) {
  ExpectNode(StridedSlice(Lists("f32", "[5, 40]", 2, "3, 0", "2, 9", "1, 1")), "StridedSlice");
  ExpectNode(StridedSlice(Lists("f32", "[0, 40]", 2, "0, 3", "9, 9", "1, 1")), "StridedSlice");
}

TEST(StridedSliceNodeTest, SlicesOfAxes) {
  ExpectNode(Slice(Lists("f32", "[5, 40]", 2, "1, 37", "9, 3", "1, -3")), "Slice");
  ExpectNode(SliceAxes(Lists("i64", "[5, 40, 3]", 2, "1, -1", "9, -4", "2, -1"), "[2]{1, -1}"), "Slice");
  ExpectNode(Slice(Lists("u8", "[5, 40]", 1, "3", "3", "1")), "Slice");
}

}  // namespace
}  // namespace burin::cpu

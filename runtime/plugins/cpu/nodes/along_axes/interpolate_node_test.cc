#include "runtime/plugins/cpu/nodes/along_axes/interpolate_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

// Of products and sums, by the largest magnitude of the result.
constexpr double kRelative = 1e-6;

// What an interpolation is given beside its data: the axes, and sizes or scales, as text.
struct Target {
  std::string values;
  std::string axes;
};

const Target kSizes = {"i64[2]{13, 20}", "i64[2]{2, 3}"};

std::string Model(const std::string& data, const Target& target, const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", data,
                      "}\n  %1 \"v\" = Constant() {value = ", target.values,
                      "}\n  %2 \"a\" = Constant() {value = ", target.axes, "}\n  %3 \"r\" = Interpolate(%0, %1, %2) {",
                      attributes, "}\n  %4 \"y\" = Result(%3)\n}");
}

TEST(InterpolateNodeTest, NearestInAllForms) {
  for (const char* coordinates : {"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn",
                                  "align_corners", "align_corners_unrounded", "half_pixel_symmetric"}) {
    for (const char* rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}) {
      ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {"i64[2]{12, 4}", "i64[2]{2, 3}"},
                       absl::StrCat("mode = nearest, coordinate_transformation_mode = ", coordinates,
                                    ", nearest_mode = ", rounding)),
                 "Interpolate");
    }
  }
}

TEST(InterpolateNodeTest, NearestOfOtherTypes) {
  for (const char* type : {"u8", "f16", "i64", "f64"}) {
    ExpectNode(Model(absl::StrCat("element_type = ", type, ", shape = [1, 3, 4, 6]"), kSizes, "mode = nearest"),
               "Interpolate");
  }
}

TEST(InterpolateNodeTest, SumsInAllModes) {
  for (const char* mode : {"linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"}) {
    for (const char* coordinates : {"half_pixel", "align_corners", "asymmetric"}) {
      for (const char* sizes : {"i64[2]{13, 20}", "i64[2]{4, 3}"}) {
        ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {sizes, "i64[2]{2, 3}"},
                         absl::StrCat("mode = ", mode, ", coordinate_transformation_mode = ", coordinates)),
                   "Interpolate", kRelative);
      }
    }
  }
}

TEST(InterpolateNodeTest, Antialiases) {
  ExpectNode(Model("element_type = f32, shape = [1, 20, 40, 50]", kSizes, "mode = linear, antialias = true"),
             "Interpolate", kRelative);
}

TEST(InterpolateNodeTest, ByScales) {
  ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {"f32[4]{1, 1, 2, 1.7}", "i64[4]{0, 1, 2, 3}"},
                   "mode = linear_onnx, shape_calculation_mode = scales"),
             "Interpolate", kRelative);
  ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {"f32[2]{0.6, 0.5}", "i64[2]{-1, 2}"},
                   "mode = nearest, shape_calculation_mode = scales"),
             "Interpolate");
}

TEST(InterpolateNodeTest, AxesAnywhere) {
  // Channels that are last in the model's own order.
  ExpectNode(Model("element_type = f32, shape = [2, 7, 9, 5]", {"i64[2]{13, 20}", "i64[2]{1, 2}"}, "mode = cubic"),
             "Interpolate", kRelative);
  ExpectNode(Model("element_type = f32, shape = [4, 5, 6]", {"i64[1]{3}", "i64[1]{0}"}, "mode = linear"), "Interpolate",
             kRelative);
  ExpectNode(Model("element_type = f32, shape = [3, 4, 5, 6]", {"i64[2]{7, 3}", "i64[2]{1, 3}"}, "mode = linear_onnx"),
             "Interpolate", kRelative);
  ExpectNode(Model("element_type = f32, shape = [2, 3, 4, 5, 6]", {"i64[3]{8, 3, 9}", "i64[3]{2, 3, 4}"},
                   "mode = linear_onnx"),
             "Interpolate", kRelative);
  ExpectNode(Model("element_type = f32, shape = [9]", {"i64[1]{20}", "i64[1]{0}"}, "mode = linear_onnx"), "Interpolate",
             kRelative);
}

TEST(InterpolateNodeTest, Pads) {
  const char* pads = "pads_begin = [0, 0, 1, 2], pads_end = [0, 0, 3, 0]";
  ExpectNode(Model("element_type = f32, shape = [1, 5, 7, 9]", kSizes, absl::StrCat("mode = linear_onnx, ", pads)),
             "Interpolate", kRelative);
  ExpectNode(Model("element_type = f32, shape = [1, 5, 7, 9]", kSizes, absl::StrCat("mode = nearest, ", pads)),
             "Interpolate");
  // Only padded.
  ExpectNode(Model("element_type = f32, shape = [2, 3]", {"i64[1]{3}", "i64[1]{1}"},
                   "mode = linear_onnx, pads_begin = [1, 0], pads_end = [2, 0]"),
             "Interpolate");
}

TEST(InterpolateNodeTest, NothingChanges) {
  ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {"i64[2]{7, 9}", "i64[2]{2, 3}"}, "mode = linear_onnx"),
             "Interpolate");
}

TEST(InterpolateNodeTest, NoElements) {
  ExpectNode(Model("element_type = f32, shape = [0, 5, 7, 9]", kSizes, "mode = linear_onnx"), "Interpolate");
  ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 9]", {"i64[2]{0, 9}", "i64[2]{2, 3}"}, "mode = linear_onnx"),
             "Interpolate");
}

TEST(InterpolateNodeTest, SumsOfOtherTypesHaveNoKernel) {
  ExpectNode(Model("element_type = i32, shape = [1, 3, 4, 6]", kSizes, "mode = linear_onnx"), "Reference");
}

}  // namespace
}  // namespace burin::cpu

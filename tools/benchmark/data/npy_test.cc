#include "tools/benchmark/data/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "base/element_type.h"
#include "base/file.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

std::string Npy(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  const size_t length_bytes = version == 1 ? 2 : 4;
  for (size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

const std::string kTwoFloats = std::string("\0\0\x80\x3f\0\0\0\xc0", 8);  // 1, -2

TEST(NpyTest, ReadsNumbersOfEveryVersion) {
  for (char version : {1, 2, 3}) {
    ASSERT_OK_AND_ASSIGN(
        ir::Tensor tensor,
        ParseNpy(Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }          \n", kTwoFloats, version)));
    EXPECT_EQ(tensor.element_type(), ElementType::kF32);
    EXPECT_EQ(tensor.shape(), (ir::Shape{2, 1}));
    EXPECT_EQ(tensor.data_as<float>()[0], 1);
    EXPECT_EQ(tensor.data_as<float>()[1], -2);
  }
}

TEST(NpyTest, ReadsScalarsAndEmptyArrays) {
  ASSERT_OK_AND_ASSIGN(ir::Tensor scalar,
                       ParseNpy(Npy("{\"descr\":\"|u1\",\"fortran_order\":True,\"shape\":()}", "\x07")));
  EXPECT_EQ(scalar.shape(), ir::Shape{});
  EXPECT_EQ(scalar.data_as<uint8_t>()[0], 7);
  ASSERT_OK_AND_ASSIGN(ir::Tensor empty, ParseNpy(Npy("{'descr':'<i8','fortran_order':False,'shape':(0,3)}", "")));
  EXPECT_EQ(empty.shape(), (ir::Shape{0, 3}));
}

TEST(NpyTest, WhatIsWrittenIsRead) {
  for (const ir::Shape& shape : {ir::Shape{}, ir::Shape{3}, ir::Shape{2, 3}, ir::Shape{0, 5}}) {
    ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, ir::Tensor::Create(ElementType::kF32, shape));
    for (int64_t i = 0; i < tensor.element_count(); ++i) tensor.mutable_data_as<float>()[i] = 0.5f + i;
    ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeNpy(tensor));
    EXPECT_EQ((bytes.size() - tensor.byte_size()) % 64, 0u);
    ASSERT_OK_AND_ASSIGN(const ir::Tensor again, ParseNpy(bytes));
    EXPECT_EQ(again.ContentHash(), tensor.ContentHash()) << again.ToString();
  }
  ASSERT_OK_AND_ASSIGN(const ir::Tensor bf16, ir::Tensor::Create(ElementType::kBf16, {2}));
  EXPECT_THAT(SerializeNpy(bf16), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("bf16")));
}

TEST(NpyTest, BrokenFilesAreRefused) {
  const struct {
    std::string bytes;
    const char* message;
  } kCases[] = {
      {"", "no .npy file"},
      {"\x93NUMPY", "no .npy file"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats).substr(0, 9), "ends in it"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats).substr(0, 30), "ends in it"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "123"), "8 bytes; 3 follow"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats + "x"), "8 bytes; 9 follow"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", kTwoFloats), "no number"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2", kTwoFloats), "no number"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9)}", kTwoFloats), ""},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", kTwoFloats), "no number"},
      {Npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", kTwoFloats), "True or False"},
      {Npy("{'descr': '<f4', 'shape': (2,)}", kTwoFloats), "expected the keys"},
      {Npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats), "unexpected key"},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", kTwoFloats), "unexpected key"},
      {Npy("{'descr': '<f4", kTwoFloats), "does not end"},
      {Npy("{'descr'", kTwoFloats), "expected \":\""},
      {Npy("", kTwoFloats), "expected \"{\""},
      {Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", kTwoFloats), "follows the dictionary"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12), "claims 2147483647 bytes"},
  };
  for (const auto& broken : kCases) {
    EXPECT_THAT(ParseNpy(broken.bytes), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(broken.message)))
        << broken.bytes;
  }
}

TEST(NpyTest, WhatIsNotReadIsNamed) {
  EXPECT_THAT(ParseNpy(Npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(">f4")));
  EXPECT_THAT(ParseNpy(Npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", kTwoFloats)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("|O")));
  EXPECT_THAT(ParseNpy(Npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", kTwoFloats)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Records")));
  EXPECT_THAT(ParseNpy(Npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1)}", kTwoFloats)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Fortran order")));
  EXPECT_THAT(ParseNpy(Npy("{}", "", 4)), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("4")));
}

TEST(NpyTest, FilesAreReadAndNamedInErrors) {
  const std::string path = ::testing::TempDir() + "/array.npy";
  ASSERT_OK(WriteFileAtomically(path, Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kTwoFloats)));
  EXPECT_OK(ReadNpy(path));
  ASSERT_OK(WriteFileAtomically(path, "nothing"));
  EXPECT_THAT(ReadNpy(path), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path)));
  EXPECT_THAT(ReadNpy(path + ".none"), StatusIs(absl::StatusCode::kNotFound));
}

TEST(NpyTest, MutatedFilesNeverCrash) {
  const std::string good = Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n", kTwoFloats);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = good.substr(0, i % 4 == 0 ? random() % good.size() : good.size());
    for (unsigned k = random() % 4; k > 0 && !bytes.empty(); --k) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (!ParseNpy(bytes).ok()) ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace burin::benchmark

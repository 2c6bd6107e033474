#include "runtime/plugins/cpu/constants/packed_weights.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// A form: the elements as they are, an item each.
WeightPacking Plain(const ir::Tensor& source) {
  WeightPacking packing;
  packing.form = HashBytes("plain", 5);
  packing.packed_bytes = static_cast<int64_t>(source.byte_size());
  packing.work_items = source.element_count();
  return packing;
}

void CopyItems(const void* source, void* packed, void*, int64_t begin, int64_t end) {
  const auto bytes = static_cast<size_t>(end - begin) * sizeof(float);
  std::memcpy(static_cast<float*>(packed) + begin, static_cast<const float*>(source) + begin, bytes);
}

ir::Tensor Numbers() { return ir::F32({2, 3}, {1, 2, 3, 4, 5, 6}); }

class PackedWeightsTest : public testing::Test {
 protected:
  std::shared_ptr<const AlignedBuffer> Packed(const ir::Tensor& source, const WeightPacking& packing) {
    return store_.Get(source, packing, CopyItems, numa_node_, team_).value();
  }

  PackedWeightsStore store_;
  int numa_node_ = -1;
  executor::Team* team_ = nullptr;
};

TEST_F(PackedWeightsTest, EqualContentIsPackedOnce) {
  const std::shared_ptr<const AlignedBuffer> first = Packed(Numbers(), Plain(Numbers()));
  const std::shared_ptr<const AlignedBuffer> second = Packed(Numbers(), Plain(Numbers()));
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::memcmp(first->data(), Numbers().data(), 24), 0);
  EXPECT_EQ(store_.count(), 1);
  EXPECT_EQ(store_.bytes(), 24);
}

TEST_F(PackedWeightsTest, WhatABlobOfAFileHoldsIsFoundByItsContentToo) {
  const std::shared_ptr<const AlignedBuffer> first = Packed(Numbers(), Plain(Numbers()));
  const ir::Tensor numbers = Numbers();
  const std::shared_ptr<ir::Storage> file = ir::Storage::Borrow(numbers.storage(), numbers.data(), numbers.byte_size());
  ASSERT_OK_AND_ASSIGN(const ir::Tensor borrowed, ir::Tensor::FromStorage(numbers.element_type(), {2, 3}, file));
  EXPECT_EQ(Packed(borrowed, Plain(borrowed)), first);
}

// Returns how many bytes of the mapping that begins there are in memory of this process.
int64_t PresentBytes(const void* data) {
  std::ifstream maps("/proc/self/smaps");
  const std::string begin = absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(data)), "-");
  std::string line;
  bool is_it = false;
  while (std::getline(maps, line)) {
    if (absl::StartsWith(line, begin)) is_it = true;
    if (is_it && absl::StartsWith(line, "Rss:")) return std::stoll(line.substr(4)) * 1024;
  }
  return -1;
}

TEST_F(PackedWeightsTest, PagesOfALargeFileAreGivenBackWhileItIsPacked) {
  std::vector<float> numbers(size_t{2} << 20);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 4099);
  const size_t bytes = numbers.size() * sizeof(float);
  const std::string path = testing::TempDir() + "/numbers";
  ASSERT_OK(WriteFileAtomically(path, std::string(reinterpret_cast<const char*>(numbers.data()), bytes)));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
  const ir::Shape shape = {static_cast<int64_t>(numbers.size())};
  ASSERT_OK_AND_ASSIGN(
      const ir::Tensor source,
      ir::Tensor::FromStorage(ElementType::kF32, shape, ir::Storage::Borrow(file, file->data(), bytes)));
  for (const bool in_order : {false, true}) {
    WeightPacking packing = Plain(source);
    packing.form = HashBytes(&in_order, 1);
    packing.reads_in_order = in_order;
    packing.work_items = 64;
    int64_t most = 0;
    const auto run = [&](const void* from, void* packed, void*, int64_t begin, int64_t end) {
      const int64_t item = shape[0] / 64;
      CopyItems(from, packed, nullptr, begin * item, end * item);
      most = std::max(most, PresentBytes(file->data()));
    };
    // The hash reads all of it.
    source.ContentHash();
    MappedFile::ReleasePages(file->data(), file->size());
    const std::shared_ptr<const AlignedBuffer> packed = store_.Get(source, packing, run, -1, nullptr).value();
    EXPECT_EQ(std::memcmp(packed->data(), numbers.data(), bytes), 0);
    if (in_order) {
      EXPECT_LT(most, static_cast<int64_t>(bytes) / 4);
    } else {
      EXPECT_EQ(most, static_cast<int64_t>(bytes));
    }
  }
}

TEST_F(PackedWeightsTest, OtherBytesFormsAndNumaNodesAreOthers) {
  const std::shared_ptr<const AlignedBuffer> first = Packed(Numbers(), Plain(Numbers()));
  const ir::Tensor others = ir::F32({2, 3}, {1, 2, 3, 4, 5, 7});
  const std::shared_ptr<const AlignedBuffer> second = Packed(others, Plain(others));
  WeightPacking form = Plain(Numbers());
  form.form = HashBytes("other", 5);
  const std::shared_ptr<const AlignedBuffer> third = Packed(Numbers(), form);
  numa_node_ = 1;
  const std::shared_ptr<const AlignedBuffer> fourth = Packed(Numbers(), Plain(Numbers()));
  EXPECT_EQ(store_.count(), 4);
  EXPECT_NE(std::memcmp(second->data(), first->data(), 24), 0);
}

TEST_F(PackedWeightsTest, TheLastUserGivesTheMemoryBack) {
  std::shared_ptr<const AlignedBuffer> weights = Packed(Numbers(), Plain(Numbers()));
  const std::weak_ptr<const AlignedBuffer> watch = weights;
  weights.reset();
  EXPECT_TRUE(watch.expired());
  EXPECT_EQ(store_.count(), 0);
  EXPECT_EQ(store_.bytes(), 0);
  EXPECT_NE(Packed(Numbers(), Plain(Numbers())), nullptr);
}

TEST_F(PackedWeightsTest, OutliveTheirStore) {
  auto store = std::make_unique<PackedWeightsStore>();
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const AlignedBuffer> weights,
                       store->Get(Numbers(), Plain(Numbers()), CopyItems, -1, nullptr));
  store.reset();
  EXPECT_EQ(std::memcmp(weights->data(), Numbers().data(), 24), 0);
}

TEST_F(PackedWeightsTest, StridedWeightsArePackedDense) {
  const ir::Tensor wide = ir::F32({2, 4}, {1, 2, 3, 0, 4, 5, 6, 0});
  ASSERT_OK_AND_ASSIGN(const ir::Tensor region, wide.Region({0, 0}, {2, 3}));
  EXPECT_EQ(std::memcmp(Packed(region, Plain(region))->data(), Numbers().data(), 24), 0);
}

TEST_F(PackedWeightsTest, NothingIsPackedToo) {
  const ir::Tensor none = ir::F32({0, 3}, {});
  EXPECT_EQ(Packed(none, Plain(none))->size(), 0U);
}

TEST_F(PackedWeightsTest, ATeamPacksAllItems) {
  ThreadPoolExecutor threads(3);
  executor::Team team(4, &threads);
  team_ = &team;
  std::vector<double> numbers(10000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const ir::Tensor source = ir::F32({10000}, numbers);
  EXPECT_EQ(std::memcmp(Packed(source, Plain(source))->data(), source.data(), source.byte_size()), 0);
}

TEST_F(PackedWeightsTest, EachCallHasScratchMemoryOfItsOwn) {
  ThreadPoolExecutor threads(3);
  executor::Team team(4, &threads);
  WeightPacking packing = Plain(Numbers());
  packing.scratch_bytes = 64;
  const auto pack = [](const void* source, void* packed, void* scratch, int64_t begin, int64_t end) {
    // Where two calls had one, one would find the other's.
    for (int64_t i = begin; i < end; ++i) {
      std::memcpy(scratch, static_cast<const float*>(source) + i, sizeof(float));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::memcpy(static_cast<float*>(packed) + i, scratch, sizeof(float));
    }
  };
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const AlignedBuffer> weights,
                       store_.Get(Numbers(), packing, pack, -1, &team));
  EXPECT_EQ(std::memcmp(weights->data(), Numbers().data(), 24), 0);
}

TEST_F(PackedWeightsTest, DeniedMemoryIsToldAndCanBeAskedForAgain) {
  WeightPacking huge = Plain(Numbers());
  huge.packed_bytes = int64_t{1} << 60;
  EXPECT_THAT(store_.Get(Numbers(), huge, CopyItems, -1, nullptr), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(store_.Get(Numbers(), huge, CopyItems, -1, nullptr), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(store_.count(), 0);
}

TEST_F(PackedWeightsTest, OfManyThreadsOnePacks) {
  std::atomic<int> runs{0};
  const auto pack = [&](const void* source, void* packed, void* scratch, int64_t begin, int64_t end) {
    ++runs;
    // So that the others come meanwhile.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CopyItems(source, packed, scratch, begin, end);
  };
  std::vector<std::shared_ptr<const AlignedBuffer>> got(8);
  std::vector<std::thread> threads;
  for (auto& weights : got) {
    threads.emplace_back([&] { weights = store_.Get(Numbers(), Plain(Numbers()), pack, -1, nullptr).value(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(std::count(got.begin(), got.end(), got[0]), 8);
}

TEST_F(PackedWeightsTest, ComeAndGoOnManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        ASSERT_EQ(std::memcmp(Packed(Numbers(), Plain(Numbers()))->data(), Numbers().data(), 24), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store_.count(), 0);
}

// Returns a context whose store is `store`.
NodeContext ContextOf(PackedWeightsStore* store) {
  NodeContext context{jit::Target::Host().value(), &jit::CodeCache::Process()};
  context.packed_weights = store;
  return context;
}

TEST(PackWeightsTest, TheProcessHasAStore) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const AlignedBuffer> first,
                       PackWeights(Numbers(), Plain(Numbers()), CopyItems, ContextOf(nullptr)));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const AlignedBuffer> second,
                       PackedWeightsStore::Process().Get(Numbers(), Plain(Numbers()), CopyItems, -1, nullptr));
  EXPECT_EQ(first, second);
}

TEST(PackWeightsTest, AContextMayHaveAnother) {
  PackedWeightsStore store;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const AlignedBuffer> weights,
                       PackWeights(Numbers(), Plain(Numbers()), CopyItems, ContextOf(&store)));
  EXPECT_EQ(store.count(), 1);
}

}  // namespace
}  // namespace burin::cpu

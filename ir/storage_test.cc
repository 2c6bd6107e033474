#include "ir/storage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/hash.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(StorageTest, AllocatesAlignedWritableBytes) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<Storage> storage, Storage::Allocate(100));
  EXPECT_EQ(storage->size(), 100u);
  EXPECT_FALSE(storage->read_only());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(storage->data()) % 64, 0u);
  std::memset(storage->mutable_data(), 7, 100);
  EXPECT_EQ(static_cast<const char*>(storage->data())[99], 7);
}

TEST(StorageTest, AllocatesNothingAtAll) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<Storage> storage, Storage::Allocate(0));
  EXPECT_EQ(storage->size(), 0u);
  EXPECT_EQ(storage->ContentHash(), HashBytes("", 0));
}

TEST(StorageTest, RefusesWhatMemoryCannotHold) {
  EXPECT_THAT(Storage::Allocate(std::numeric_limits<size_t>::max()), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(StorageTest, BorrowKeepsTheOwnerUntilTheLastUser) {
  auto owner = std::make_shared<std::string>("weights");
  const std::weak_ptr<std::string> watch = owner;
  const char* const bytes = owner->data();
  std::shared_ptr<Storage> storage = Storage::Borrow(std::move(owner), bytes, 7);
  EXPECT_TRUE(storage->read_only());
  EXPECT_EQ(storage->data(), bytes);
  EXPECT_FALSE(watch.expired());
  storage.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(StorageTest, WritableBytesLiveAsLongAsTheirOwnerIsHeld) {
  auto owner = std::make_shared<std::string>("state");
  const std::weak_ptr<std::string> watch = owner;
  char* const bytes = owner->data();
  std::shared_ptr<Storage> storage = Storage::BorrowMutable(bytes, 5, std::move(owner));
  EXPECT_FALSE(storage->read_only());
  EXPECT_FALSE(storage->allocated());
  EXPECT_FALSE(watch.expired());
  storage.reset();
  EXPECT_TRUE(watch.expired());
  ASSERT_OK_AND_ASSIGN(storage, Storage::Allocate(5));
  EXPECT_TRUE(storage->allocated());
}

TEST(StorageTest, WritingReadOnlyBytesIsABug) {
  const std::shared_ptr<Storage> storage = Storage::Borrow(nullptr, "abc", 3);
  EXPECT_DEATH(storage->mutable_data(), "read-only");
}

TEST(StorageTest, HashesReadOnlyBytesOnce) {
  std::string bytes = "abc";
  const std::shared_ptr<Storage> storage = Storage::Borrow(nullptr, bytes.data(), bytes.size());
  const Hash128 before = storage->ContentHash();
  EXPECT_EQ(before, HashBytes("abc", 3));
  bytes[0] = 'x';  // Nobody may do this; it shows that the hash is kept.
  EXPECT_EQ(storage->ContentHash(), before);
}

TEST(StorageTest, HashesWritableBytesEachTime) {
  std::string bytes = "abc";
  const std::shared_ptr<Storage> storage = Storage::BorrowMutable(bytes.data(), bytes.size());
  EXPECT_EQ(storage->ContentHash(), HashBytes("abc", 3));
  static_cast<char*>(storage->mutable_data())[0] = 'x';
  EXPECT_EQ(storage->ContentHash(), HashBytes("xbc", 3));
}

TEST(StorageTest, HashesFromManyThreads) {
  const std::string bytes(1 << 16, 'w');
  const std::shared_ptr<Storage> storage = Storage::Borrow(nullptr, bytes.data(), bytes.size());
  std::vector<Hash128> hashes(4);
  std::vector<std::thread> threads;
  for (Hash128& hash : hashes) threads.emplace_back([&hash, &storage] { hash = storage->ContentHash(); });
  for (std::thread& thread : threads) thread.join();
  for (const Hash128& hash : hashes) EXPECT_EQ(hash, HashBytes(bytes.data(), bytes.size()));
}

}  // namespace
}  // namespace burin::ir

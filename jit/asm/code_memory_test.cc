#include "jit/asm/code_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// mov eax, value; ret, padded with nops to `size` bytes.
std::vector<uint8_t> ReturnCode(uint32_t value, size_t size = 6) {
  std::vector<uint8_t> code(size, 0x90);
  code[0] = 0xb8;
  std::memcpy(&code[1], &value, sizeof(value));
  code[5] = 0xc3;
  return code;
}

uint32_t RunBlock(const CodeBlock& block) {
  return reinterpret_cast<uint32_t (*)()>(reinterpret_cast<uintptr_t>(block.address()))();
}

// Lets a test refuse one call, and counts what is mapped.
class FakeOs : public CodeMemoryOs {
 public:
  bool MayReplaceCode() override { return may_replace && CodeMemoryOs::MayReplaceCode(); }
  int MemfdCreate(const char* name, unsigned int flags) override {
    ++memfds;
    last_flags = flags;
    if (memfd_error != 0 && (flags & refused_flags) == refused_flags) return Fail(memfd_error);
    return CodeMemoryOs::MemfdCreate(name, flags);
  }
  int Ftruncate(int fd, off_t size) override {
    return ftruncate_error != 0 ? Fail(ftruncate_error) : CodeMemoryOs::Ftruncate(fd, size);
  }
  void* Mmap(size_t size, int protection, int fd) override {
    const int error = (protection & PROT_EXEC) != 0 ? exec_error : write_error;
    if (error != 0) {
      errno = error;
      return MAP_FAILED;
    }
    EXPECT_NE(protection & (PROT_WRITE | PROT_EXEC), PROT_WRITE | PROT_EXEC);
    ++mappings;
    return CodeMemoryOs::Mmap(size, protection, fd);
  }
  void* MapAgain(void* address, size_t size) override {
    if (again_error != 0) {
      errno = again_error;
      return MAP_FAILED;
    }
    ++mappings;
    return CodeMemoryOs::MapAgain(address, size);
  }
  int Mprotect(void* address, size_t size, int protection) override {
    EXPECT_EQ(protection, PROT_READ | PROT_EXEC);
    return exec_error != 0 ? Fail(exec_error) : CodeMemoryOs::Mprotect(address, size, protection);
  }
  int Munmap(void* address, size_t size) override {
    --mappings;
    return CodeMemoryOs::Munmap(address, size);
  }
  int Close(int fd) override {
    ++closes;
    return CodeMemoryOs::Close(fd);
  }
  void SynchronizeInstructionFetch() override {
    ++synchronizations;
    CodeMemoryOs::SynchronizeInstructionFetch();
  }

  bool may_replace = true;
  int memfd_error = 0;
  unsigned int refused_flags = 0;
  int ftruncate_error = 0;
  int write_error = 0;
  int exec_error = 0;
  int again_error = 0;
  int memfds = 0;
  int closes = 0;
  int mappings = 0;
  int synchronizations = 0;
  unsigned int last_flags = 0;

 private:
  static int Fail(int error) {
    errno = error;
    return -1;
  }
};

// Of shared memory, which nothing else here uses: a sanitizer keeps what was freed.
size_t ResidentBytes() {
  std::ifstream status("/proc/self/status");
  const std::string field = "RssShmem:";
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, field.size(), field) == 0) return std::stoul(line.substr(field.size())) * 1024;
  }
  ADD_FAILURE() << "no RssShmem in /proc/self/status";
  return 0;
}

size_t CountMappings() {
  std::ifstream maps("/proc/self/maps");
  size_t lines = 0;
  for (std::string line; std::getline(maps, line);) lines += line.find("burin-jit") != std::string::npos ? 1 : 0;
  return lines;
}

TEST(CodeMemoryTest, RunsWhatWasWritten) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const CodeBlock one, memory.Allocate(ReturnCode(1)));
  ASSERT_OK_AND_ASSIGN(const CodeBlock two, memory.Allocate(ReturnCode(2, 200)));
  EXPECT_EQ(RunBlock(one), 1u);
  EXPECT_EQ(RunBlock(two), 2u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(one.address()) % CodeMemory::kBlockAlignment, 0u);
  EXPECT_EQ(one.size(), 64u);
  EXPECT_EQ(two.size(), 256u);
  EXPECT_OK(memory.Verify());
  EXPECT_EQ(memory.GetStats().blocks, 2u);
  EXPECT_EQ(memory.GetStats().used_bytes, 320u);
}

TEST(CodeMemoryTest, NoMappingIsWritableAndExecutable) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(1)));
  std::ifstream maps("/proc/self/maps");
  int seen = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("burin-jit") == std::string::npos) continue;
    ++seen;
    const std::string mode = line.substr(line.find(' ') + 1, 4);
    EXPECT_TRUE(mode == "rw-s" || mode == "r-xs") << line;
  }
  EXPECT_GE(seen, 2);
}

TEST(CodeMemoryTest, FreedBytesTrap) {
  if (!CodeMemoryOs().MayReplaceCode()) GTEST_SKIP() << "this system may not replace code";
  FakeOs os;
  CodeMemory memory(&os);
  ASSERT_OK_AND_ASSIGN(const CodeBlock kept, memory.Allocate(ReturnCode(1)));
  const uint8_t* address = nullptr;
  {
    ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(2)));
    address = block.address();
    // The rest of the block's last unit is free of other code as well.
    EXPECT_EQ(address[6], 0xcc);
  }
  for (int i = 0; i < 64; ++i) EXPECT_EQ(address[i], 0xcc) << i;
  EXPECT_OK(memory.Verify());
  EXPECT_EQ(os.synchronizations, 0);
  // Bytes that may have run are replaced: every core must fetch anew.
  ASSERT_OK_AND_ASSIGN(const CodeBlock again, memory.Allocate(ReturnCode(3)));
  EXPECT_EQ(again.address(), address);
  EXPECT_EQ(os.synchronizations, 1);
  EXPECT_EQ(RunBlock(again), 3u);
}

TEST(CodeMemoryTest, M3_RejectsBytesWrittenToFreeMemory) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(1)));
  ASSERT_OK(memory.Verify());
  // Finds the writable mapping of the same file.
  std::ifstream maps("/proc/self/maps");
  uint8_t* writable = nullptr;
  std::string inode;
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    lines.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  const auto start = [](const std::vector<std::string>& line) { return std::stoull(line[0], nullptr, 16); };
  for (const auto& line : lines) {
    if (start(line) == reinterpret_cast<uintptr_t>(block.address())) inode = line[4];
  }
  for (const auto& line : lines) {
    if (line[4] == inode && line[1] == "rw-s") writable = reinterpret_cast<uint8_t*>(uintptr_t{start(line)});
  }
  ASSERT_NE(writable, nullptr);
  writable[CodeMemory::kArenaGranule - 1] = 0;
  EXPECT_THAT(memory.Verify(), StatusIs(absl::StatusCode::kInternal, HasSubstr("M3")));
}

TEST(CodeMemoryTest, FreeNeighboursJoin) {
  if (!CodeMemoryOs().MayReplaceCode()) GTEST_SKIP() << "this system may not replace code";
  CodeMemory memory;
  std::vector<CodeBlock> blocks;
  const size_t units = CodeMemory::kArenaGranule / CodeMemory::kBlockAlignment;
  for (size_t i = 0; i < units; ++i) {
    ASSERT_OK_AND_ASSIGN(CodeBlock block, memory.Allocate(ReturnCode(static_cast<uint32_t>(i))));
    blocks.push_back(std::move(block));
  }
  EXPECT_EQ(memory.GetStats().arenas, 1u);
  EXPECT_EQ(memory.GetStats().used_bytes, CodeMemory::kArenaGranule);
  const uint8_t* first = blocks[8].address();
  // Give back 8..11 in an order that joins forwards, backwards, and both ways.
  for (const size_t i : {9, 8, 11, 10}) blocks[i] = CodeBlock();
  EXPECT_OK(memory.Verify());
  ASSERT_OK_AND_ASSIGN(const CodeBlock large, memory.Allocate(ReturnCode(7, 256)));
  EXPECT_EQ(large.address(), first);
  EXPECT_EQ(memory.GetStats().arenas, 1u);
  ASSERT_OK_AND_ASSIGN(const CodeBlock more, memory.Allocate(ReturnCode(8)));
  EXPECT_EQ(memory.GetStats().arenas, 2u);
  for (size_t i = 0; i < units; ++i) {
    if (blocks[i].address() != nullptr) {
      ASSERT_EQ(RunBlock(blocks[i]), i);
    }
  }
}

TEST(CodeMemoryTest, ReplacesNoCodeWhereItMayNot) {
  FakeOs os;
  os.may_replace = false;
  CodeMemory memory(&os);
  ASSERT_OK_AND_ASSIGN(CodeBlock first, memory.Allocate(ReturnCode(1)));
  ASSERT_OK_AND_ASSIGN(CodeBlock second, memory.Allocate(ReturnCode(2, 100)));
  const uint8_t* const first_address = first.address();
  const uint8_t* const second_address = second.address();
  first = CodeBlock();
  second = CodeBlock();
  EXPECT_EQ(memory.GetStats().arenas, 0u) << "an arena without blocks goes, since its bytes may not be used again";
  ASSERT_OK_AND_ASSIGN(CodeBlock kept, memory.Allocate(ReturnCode(3)));
  std::vector<const uint8_t*> seen = {kept.address()};
  // Each block is given back before the next one is made; the last ones need another arena.
  const size_t units = CodeMemory::kArenaGranule / CodeMemory::kBlockAlignment;
  for (size_t i = 0; i < units + 8; ++i) {
    ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(static_cast<uint32_t>(i))));
    EXPECT_EQ(RunBlock(block), i);
    if (i + 1 < units) seen.push_back(block.address());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "an address was used twice";
  EXPECT_EQ(RunBlock(kept), 3u);
  EXPECT_OK(memory.Verify());
  EXPECT_NE(first_address, second_address);
}

TEST(CodeMemoryTest, LargeBlocksHaveArenasOfTheirOwnThatVanish) {
  FakeOs os;
  CodeMemory memory(&os);
  {
    ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(5, CodeMemory::kArenaGranule + 1)));
    EXPECT_EQ(RunBlock(block), 5u);
    EXPECT_EQ(memory.GetStats().mapped_bytes, 2 * CodeMemory::kArenaGranule);
    EXPECT_EQ(os.mappings, 2);
  }
  EXPECT_EQ(memory.GetStats().arenas, 0u);
  EXPECT_EQ(os.mappings, 0);
}

TEST(CodeMemoryTest, RefusesNoCodeAndTooMuch) {
  CodeMemory memory;
  EXPECT_THAT(memory.Allocate({}), StatusIs(absl::StatusCode::kInvalidArgument));
  uint8_t byte = 0;
  EXPECT_THAT(memory.Allocate(absl::MakeConstSpan(&byte, CodeMemory::kMaxBlockBytes + 1)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CodeMemoryTest, MovesOwnership) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(CodeBlock block, memory.Allocate(ReturnCode(1)));
  CodeBlock moved = std::move(block);
  EXPECT_EQ(block.address(), nullptr);  // NOLINT(bugprone-use-after-move): a moved-from block is empty.
  EXPECT_EQ(RunBlock(moved), 1u);
  ASSERT_OK_AND_ASSIGN(CodeBlock other, memory.Allocate(ReturnCode(2)));
  moved = std::move(other);
  EXPECT_EQ(RunBlock(moved), 2u);
  EXPECT_EQ(memory.GetStats().blocks, 1u);
}

TEST(CodeMemoryTest, RefusalsNameTheCallAndErrno) {
  FakeOs os;
  CodeMemory memory(&os);
  os.memfd_error = EPERM;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)),
              StatusIs(absl::StatusCode::kPermissionDenied, AllOf(HasSubstr("memfd_create"), HasSubstr("errno 1)"))));
  os.memfd_error = EMFILE;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("errno 24)")));
  os.memfd_error = 0;
  os.ftruncate_error = ENOSPC;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("ftruncate")));
  os.ftruncate_error = 0;
  os.write_error = ENOMEM;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("mmap(PROT_READ | PROT_WRITE)")));
  os.write_error = 0;
  os.exec_error = EACCES;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr("mmap(PROT_READ | PROT_EXEC)"), HasSubstr("errno 13)"))));
  // Nothing stays behind, and the memory works again once the system allows it.
  EXPECT_EQ(os.mappings, 0);
  EXPECT_EQ(os.closes, 3);
  EXPECT_EQ(memory.GetStats().arenas, 0u);
  os.exec_error = 0;
  ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(9)));
  EXPECT_EQ(RunBlock(block), 9u);
}

TEST(CodeMemoryTest, AnonymousMemoryRunsToo) {
  if (!CodeMemoryOs().MayReplaceCode()) GTEST_SKIP() << "qemu's user mode maps no anonymous memory twice";
  FakeOs os;
  CodeMemory memory(&os, CodeMemory::Backing::kAnonymous);
  os.again_error = EINVAL;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)), StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("mremap")));
  os.again_error = 0;
  os.exec_error = EACCES;
  EXPECT_THAT(memory.Allocate(ReturnCode(1)),
              StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("mprotect(PROT_READ | PROT_EXEC)")));
  EXPECT_EQ(os.mappings, 0);
  os.exec_error = 0;
  ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(9)));
  EXPECT_EQ(RunBlock(block), 9u);
  EXPECT_EQ(os.memfds, 0);
  EXPECT_OK(memory.Verify());
}

TEST(CodeMemoryTest, OldSystemsKnowNoSealedMode) {
  FakeOs os;
  CodeMemory memory(&os);
  os.memfd_error = EINVAL;
  os.refused_flags = 0x8;
  ASSERT_OK_AND_ASSIGN(const CodeBlock block, memory.Allocate(ReturnCode(9)));
  EXPECT_EQ(RunBlock(block), 9u);
  EXPECT_EQ(os.memfds, 2);
  EXPECT_EQ(os.last_flags, unsigned{MFD_CLOEXEC});
}

TEST(CodeMemoryTest, TenThousandKernelsLeaveMemoryFlat) {
  FakeOs os;
  CodeMemory memory(&os);
  constexpr uint32_t kSeed = 20240607;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::vector<CodeBlock> live(64);
  size_t resident = 0;
  size_t lines = 0;
  for (uint32_t i = 0; i < 10000; ++i) {
    const size_t size = 6 + random() % 20000;
    ASSERT_OK_AND_ASSIGN(CodeBlock block, memory.Allocate(ReturnCode(i, size)));
    ASSERT_EQ(RunBlock(block), i);
    live[random() % live.size()] = std::move(block);
    if (i == 1000) {
      resident = ResidentBytes();
      ASSERT_GT(resident, 0u);
      lines = CountMappings();
    }
    if (i % 500 == 0) {
      ASSERT_OK(memory.Verify());
    }
  }
  EXPECT_LE(memory.GetStats().mapped_bytes, 16 * CodeMemory::kArenaGranule);
  EXPECT_LE(CountMappings(), lines + 8);
  EXPECT_LE(ResidentBytes(), resident + 8 * CodeMemory::kArenaGranule);
  live.clear();
  EXPECT_EQ(memory.GetStats().blocks, 0u);
  EXPECT_LE(memory.GetStats().arenas, 1u);
  EXPECT_EQ(os.mappings, static_cast<int>(2 * memory.GetStats().arenas));
}

TEST(CodeMemoryTest, SixteenThreadsMakeAndDrop) {
  CodeMemory memory;
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 16; ++thread) {
    threads.emplace_back([&memory, thread] {
      std::mt19937 random(thread + 1);
      std::vector<std::pair<CodeBlock, uint32_t>> live(8);
      for (uint32_t i = 0; i < 400; ++i) {
        const uint32_t value = thread << 16 | i;
        absl::StatusOr<CodeBlock> block = memory.Allocate(ReturnCode(value, 6 + random() % 3000));
        ASSERT_OK(block);
        live[random() % live.size()] = {*std::move(block), value};
        for (const auto& [held, expected] : live) {
          if (held.address() != nullptr) {
            ASSERT_EQ(RunBlock(held), expected);
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_OK(memory.Verify());
  EXPECT_EQ(memory.GetStats().blocks, 0u);
}

TEST(CodeMemoryTest, SealedArenasAreNotWritten) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(CodeBlock one, memory.Allocate(ReturnCode(1)));
  ASSERT_OK_AND_ASSIGN(CodeBlock two, memory.Allocate(ReturnCode(2)));
  memory.SealArenas();
  const uint8_t* address = two.address();
  two = CodeBlock();
  // The bytes stay: another process may be running them.
  EXPECT_EQ(address[0], 0xb8);
  ASSERT_OK_AND_ASSIGN(const CodeBlock three, memory.Allocate(ReturnCode(3)));
  EXPECT_EQ(memory.GetStats().arenas, 2u);
  EXPECT_OK(memory.Verify());
  one = CodeBlock();
  EXPECT_EQ(memory.GetStats().arenas, 1u);
}

TEST(CodeMemoryTest, ForkedChildrenKeepTheirCode) {
  CodeMemory& memory = CodeMemory::Process();
  ASSERT_OK_AND_ASSIGN(CodeBlock block, memory.Allocate(ReturnCode(41)));
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Run only once the parent has replaced its own code; then make more.
    char byte = 0;
    if (read(go[0], &byte, 1) != 1) _exit(1);
    if (RunBlock(block) != 41) _exit(2);
    absl::StatusOr<CodeBlock> own = memory.Allocate(ReturnCode(43));
    if (!own.ok() || RunBlock(*own) != 43) _exit(3);
    _exit(0);
  }
  block = CodeBlock();
  std::vector<CodeBlock> replacements;
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK_AND_ASSIGN(CodeBlock replacement, memory.Allocate(ReturnCode(99)));
    replacements.push_back(std::move(replacement));
  }
  ASSERT_EQ(write(go[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  close(go[0]);
  close(go[1]);
}

TEST(CodeMemoryDeathTest, BlocksMayNotOutliveTheirMemory) {
  EXPECT_DEATH(
      {
        CodeBlock block;
        CodeMemory memory;
        block = *memory.Allocate(ReturnCode(1));
      },
      "destroyed before its blocks");
}

}  // namespace
}  // namespace burin::jit

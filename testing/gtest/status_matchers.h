// GoogleTest matchers and assertions for absl::Status and absl::StatusOr. For tests only. Everything here is
// stateless, so any thread may use it.
//
//   EXPECT_OK(Load(path));
//   ASSERT_OK_AND_ASSIGN(Model model, Load(path));
//   EXPECT_THAT(Load("nowhere"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("nowhere")));
//   EXPECT_THAT(Half(4), IsOkAndHolds(2));
//
// The names live in namespace burin, like those of base/, so that tests in any of the project's namespaces see them:
// a namespace burin::testing would hide GoogleTest's own.
#ifndef BURIN_TESTING_GTEST_STATUS_MATCHERS_H_
#define BURIN_TESTING_GTEST_STATUS_MATCHERS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace burin {
namespace status_matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// Matches a Status or StatusOr by its code and its message.
class StatusIsMatcher {
 public:
  StatusIsMatcher(::testing::Matcher<absl::StatusCode> code, ::testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename S>
  bool MatchAndExplain(const S& result, ::testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(result);
    *listener << "which is " << status.ToString();
    return code_.Matches(status.code()) && message_.Matches(std::string(status.message()));
  }

  void DescribeTo(std::ostream* os) const {
    *os << "has a status code that ";
    code_.DescribeTo(os);
    *os << " and a message that ";
    message_.DescribeTo(os);
  }

  void DescribeNegationTo(std::ostream* os) const {
    *os << "has a status code that ";
    code_.DescribeNegationTo(os);
    *os << " or a message that ";
    message_.DescribeNegationTo(os);
  }

 private:
  const ::testing::Matcher<absl::StatusCode> code_;
  const ::testing::Matcher<const std::string&> message_;
};

// Matches a Status or StatusOr that is OK.
class IsOkMatcher {
 public:
  template <typename S>
  bool MatchAndExplain(const S& result, ::testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(result);
    if (!status.ok()) *listener << "which is " << status.ToString();
    return status.ok();
  }

  void DescribeTo(std::ostream* os) const { *os << "is OK"; }
  void DescribeNegationTo(std::ostream* os) const { *os << "is not OK"; }
};

// Matches a StatusOr that is OK and whose value matches; converts to the matcher of each StatusOr type.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename S>
  operator ::testing::Matcher<S>() const {  // NOLINT(google-explicit-constructor): matchers convert.
    return ::testing::Matcher<S>(new Impl<S>(inner_));
  }

 private:
  template <typename S>
  class Impl : public ::testing::MatcherInterface<S> {
   public:
    using Value = typename std::decay_t<S>::value_type;

    explicit Impl(const Inner& inner) : inner_(::testing::SafeMatcherCast<const Value&>(inner)) {}

    bool MatchAndExplain(S result, ::testing::MatchResultListener* listener) const override {
      if (!result.ok()) {
        *listener << "which is " << result.status().ToString();
        return false;
      }
      return inner_.MatchAndExplain(*result, listener);
    }

    void DescribeTo(std::ostream* os) const override {
      *os << "is OK and holds a value that ";
      inner_.DescribeTo(os);
    }

    void DescribeNegationTo(std::ostream* os) const override {
      *os << "is not OK or holds a value that ";
      inner_.DescribeNegationTo(os);
    }

   private:
    const ::testing::Matcher<const Value&> inner_;
  };

  const Inner inner_;
};

}  // namespace status_matchers_internal

// Returns a matcher of a Status or StatusOr that is OK.
inline ::testing::PolymorphicMatcher<status_matchers_internal::IsOkMatcher> IsOk() {
  return ::testing::MakePolymorphicMatcher(status_matchers_internal::IsOkMatcher());
}

// Returns a matcher of a StatusOr that is OK and whose value equals, or matches, `inner`.
template <typename Inner>
status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(Inner&& inner) {
  return status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(std::forward<Inner>(inner));
}

// Returns a matcher of a Status or StatusOr by its code and message; each may be a value or a matcher.
inline ::testing::PolymorphicMatcher<status_matchers_internal::StatusIsMatcher> StatusIs(
    ::testing::Matcher<absl::StatusCode> code, ::testing::Matcher<const std::string&> message = ::testing::_) {
  return ::testing::MakePolymorphicMatcher(
      status_matchers_internal::StatusIsMatcher(std::move(code), std::move(message)));
}

}  // namespace burin

// Asserts that a Status or StatusOr is OK; further text can be streamed in.
#define EXPECT_OK(expression) EXPECT_THAT((expression), ::burin::IsOk())
#define ASSERT_OK(expression) ASSERT_THAT((expression), ::burin::IsOk())

#define BURIN_STATUS_MATCHERS_CONCAT_INNER(a, b) a##b
#define BURIN_STATUS_MATCHERS_CONCAT(a, b) BURIN_STATUS_MATCHERS_CONCAT_INNER(a, b)
#define BURIN_STATUS_MATCHERS_ASSIGN(result, lhs, ...) \
  auto result = (__VA_ARGS__);                         \
  ASSERT_THAT(result, ::burin::IsOk());                \
  lhs = *std::move(result)

// Asserts that a StatusOr is OK and assigns its value to `lhs`, which may declare a variable.
#define ASSERT_OK_AND_ASSIGN(lhs, ...) \
  BURIN_STATUS_MATCHERS_ASSIGN(BURIN_STATUS_MATCHERS_CONCAT(burin_status_or_, __LINE__), lhs, __VA_ARGS__)

#endif  // BURIN_TESTING_GTEST_STATUS_MATCHERS_H_

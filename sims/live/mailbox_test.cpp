#include "sims/live/mailbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace simscope::live {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kNow(0);

struct Lender {
  std::vector<float> memory;
  int returned = 0;

  Loan loan(std::uint64_t number = 1, double time = 0) {
    return {memory, number, time, [this](auto) { ++returned; }};
  }
};

TEST(MailboxTest, TheNewestArrayWinsAndTheOthersGoBackUnread) {
  Mailbox mailbox(1);
  Lender first{{1, 2}}, second{{3, 4}};
  mailbox.offer(first.loan(1));
  mailbox.offer(second.loan(2, 0.5));
  EXPECT_EQ(first.returned, 1);
  EXPECT_TRUE(mailbox.waiting());
  const PicturePtr taken = mailbox.take(kNow);
  EXPECT_THAT(taken->values, testing::ElementsAre(3, 4));
  EXPECT_EQ(taken->number, 2u);
  EXPECT_EQ(taken->time, 0.5);
  EXPECT_EQ(second.returned, 1);
  EXPECT_FALSE(mailbox.waiting());
}

TEST(MailboxTest, WhatWasTakenLastStays) {
  Mailbox mailbox(1);
  EXPECT_EQ(mailbox.take(kNow), nullptr);
  Lender lender{{7}};
  mailbox.offer(lender.loan());
  const PicturePtr taken = mailbox.take(kNow);
  lender.memory[0] = 8;  // the script goes on in its own memory
  EXPECT_EQ(mailbox.take(kNow), taken);
  EXPECT_EQ(taken->values[0], 7);
}

TEST(MailboxTest, APictureThatSomebodyHoldsIsNeverWrittenOver) {
  Mailbox mailbox(1);
  std::vector<PicturePtr> held;
  for (int i = 0; i < 8; ++i) {
    Lender lender{{static_cast<float>(i)}};
    mailbox.offer(lender.loan());
    held.push_back(mailbox.take(kNow));
  }
  for (int i = 0; i < 8; ++i) EXPECT_EQ(held[static_cast<std::size_t>(i)]->values[0], static_cast<float>(i));
}

TEST(MailboxTest, MemoryOfFormerPicturesIsUsedAgain) {
  Mailbox mailbox(1);
  Lender lender{std::vector<float>(1000, 1)};
  std::vector<const float*> places;
  for (int i = 0; i < 6; ++i) {
    mailbox.offer(lender.loan());
    places.push_back(mailbox.take(kNow)->values.data());
  }
  EXPECT_EQ(places[4], places[2]);
  EXPECT_EQ(places[5], places[3]);
}

TEST(MailboxTest, ExtremesAndMeanAreOfTheFiniteElements) {
  Mailbox mailbox(1);
  const float none = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  std::vector<float> values(10'000, 2);
  values[17] = none;
  values[9'000] = far;
  values[9'001] = -far;
  values[4096] = -5;
  values[8191] = 11;
  Lender lender{values};
  mailbox.offer(lender.loan());
  const PicturePtr taken = mailbox.take(kNow);
  EXPECT_EQ(taken->low, -5);
  EXPECT_EQ(taken->high, 11);
  EXPECT_EQ(taken->not_finite, 3u);
  EXPECT_NEAR(taken->mean, (9'995 * 2.0 - 5 + 11) / 9'997, 1e-9);
  EXPECT_TRUE(std::isnan(taken->values[17]));
  EXPECT_EQ(taken->values[9'000], far);
}

TEST(MailboxTest, TheMeanOfEqualNumbersIsThatNumber) {
  Mailbox mailbox(1);
  Lender lender{std::vector<float>(10'007, 1e9f)};
  mailbox.offer(lender.loan());
  EXPECT_EQ(mailbox.take(kNow)->mean, 1e9);
}

TEST(MailboxTest, NothingFiniteHasNoMean) {
  Mailbox mailbox(1);
  Lender lender{std::vector<float>(5, std::numeric_limits<float>::quiet_NaN())};
  mailbox.offer(lender.loan());
  const PicturePtr taken = mailbox.take(kNow);
  EXPECT_EQ(taken->not_finite, 5u);
  EXPECT_TRUE(std::isnan(taken->mean));
  EXPECT_LT(taken->low, taken->high);
}

TEST(MailboxTest, OfComplexNumbersTheMagnitudesAreMeasured) {
  Mailbox mailbox(2);
  Lender lender{{3, 4, 0, -1}};
  mailbox.offer(lender.loan());
  const PicturePtr taken = mailbox.take(kNow);
  EXPECT_EQ(taken->low, 1);
  EXPECT_EQ(taken->high, 5);
  EXPECT_EQ(taken->mean, 3);
  EXPECT_EQ(taken->values.size(), 4u);
}

TEST(MailboxTest, SquaresOfComplexNumbersNeitherOverflowNorVanish) {
  Mailbox mailbox(2);
  Lender lender{{3e30f, 4e30f, 3e-30f, -4e-30f}};
  mailbox.offer(lender.loan());
  const PicturePtr taken = mailbox.take(kNow);
  EXPECT_FLOAT_EQ(static_cast<float>(taken->low), 5e-30f);
  EXPECT_FLOAT_EQ(static_cast<float>(taken->high), 5e30f);
  EXPECT_EQ(taken->not_finite, 0u);
}

TEST(MailboxTest, WhoWaitsIsWokenByAnArrayAndByTheEnd) {
  Mailbox mailbox(1);
  Lender lender{{1}};
  std::thread script([&] {
    std::this_thread::sleep_for(milliseconds(20));
    mailbox.offer(lender.loan());
  });
  EXPECT_NE(mailbox.take(std::chrono::minutes(1)), nullptr);
  script.join();
  std::thread end([&] {
    std::this_thread::sleep_for(milliseconds(20));
    mailbox.finish("the script has ended");
  });
  EXPECT_NE(mailbox.take(std::chrono::minutes(1)), nullptr);
  end.join();
  EXPECT_EQ(mailbox.finished(), "the script has ended");
}

TEST(MailboxTest, WhatWasOfferedBeforeTheEndCanStillBeTaken) {
  Mailbox mailbox(1);
  Lender lender{{9}};
  mailbox.offer(lender.loan());
  mailbox.finish("the script has ended");
  EXPECT_EQ(mailbox.take(kNow)->values[0], 9);
}

TEST(MailboxTest, EveryLoanEndsOnceWhoeverIsFaster) {
  std::atomic<int> lent = 0, returned = 0;
  std::vector<float> values(2000, 1);
  {
    Mailbox mailbox(1);
    std::atomic<bool> done = false;
    std::thread taker([&] {
      while (!done) mailbox.take(milliseconds(1));
    });
    for (int i = 0; i < 5000; ++i) {
      ++lent;
      mailbox.offer({values, 1, 0, [&](auto) { ++returned; }});
    }
    done = true;
    taker.join();
  }
  EXPECT_EQ(lent, returned);
}

TEST(MailboxTest, ARetiredMailboxHoldsNothing) {
  Mailbox mailbox(1);
  Lender shown{{1}}, waiting{{2}};
  mailbox.offer(shown.loan());
  mailbox.take(kNow);
  mailbox.offer(waiting.loan());
  mailbox.retire();
  EXPECT_EQ(waiting.returned, 1);
  EXPECT_EQ(mailbox.take(kNow), nullptr);
  EXPECT_NE(mailbox.finished(), "");
  mailbox.resume();
  EXPECT_EQ(mailbox.finished(), "");
  mailbox.offer(waiting.loan());
  EXPECT_EQ(mailbox.take(kNow)->values[0], 2);
}

}  // namespace
}  // namespace simscope::live

#include "sims/foreign/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace simscope::foreign {
namespace {

using testing::HasSubstr;

struct Case {
  std::string given, shown;
};

TEST(Words, WhatATerminalWouldObeyIsEscaped) {
  const Case cases[] = {
      {"plain", "plain"},
      {"ψ², Å, 日本, 🙂", "ψ², Å, 日本, 🙂"},
      {"", ""},
      {"\x1b[2J\x1b]0;title\a", "\\x1b[2J\\x1b]0;title\\x07"},
      {"one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"},
      {std::string("a\0b\x7f", 4), "a\\x00b\\x7f"},
      {"\xc2\x9b"
       "31m",
       "\\x9b31m"},  // the control sequence introducer of 8 bits
      {"gpj.\xe2\x80\xae"
       "exe",
       "gpj.\\u202eexe"},  // right to left from here
      {"a\xe2\x80\xa8"
       "b\xe2\x80\x8b"
       "c\xef\xbb\xbf",
       "a\\u2028b\\u200bc\\ufeff"},
      {"\xf3\xa0\x81\x81", "\\U000e0041"},                    // a tag, invisible
      {"\xff\xc3(\xe2\x82", "\\xff\\xc3(\\xe2\\x82"},         // no UTF-8
      {"\xc0\x80\xed\xa0\x80", "\\xc0\\x80\\xed\\xa0\\x80"},  // too long an encoding; half of a pair
  };
  for (const Case& each : cases) {
    EXPECT_EQ(foreign::shown(each.given), each.shown);
    EXPECT_EQ(findControl(each.shown), std::string::npos) << each.shown;
  }
}

TEST(Words, QuotationMarksWithinAreTold) {
  EXPECT_EQ(foreign::quoted("it's"), "'it\\'s'");
  EXPECT_EQ(foreign::quoted("a\\n"), "'a\\\\n'");
  EXPECT_EQ(foreign::quoted("a\n"), "'a\\n'");
  EXPECT_EQ(quotedFile("/tmp/a b.json"), "'/tmp/a b.json'");
}

TEST(Words, LongOnesLoseTheirMiddle) {
  std::string digits;
  for (int i = 0; i < 100; ++i) digits += static_cast<char>('0' + i % 10);
  EXPECT_EQ(foreign::shown(digits, 100), digits);
  EXPECT_EQ(foreign::shown(digits, 10), "012345…789");
  EXPECT_EQ(foreign::shown("ψψψψψψ", 6), "ψψψψψψ");
  EXPECT_EQ(foreign::shown("ψψψψψψψ", 4), "ψψ…ψ");
  const std::string bombs(15'000'000, '\x1b');
  EXPECT_LE(foreign::shown(bombs).size(), kShownCharacters + 3);
  EXPECT_LE(foreign::quoted(std::string(15'000'000, '\'')).size(), kShownCharacters + 5);
  EXPECT_THAT(foreign::shown(std::string(5'000'000, '-').append("END")), testing::EndsWith("-END"));
  std::string wide;
  for (int i = 0; i < 100'000; ++i) wide += "日";
  EXPECT_EQ(foreign::shown(wide, 5), "日日日…日");
}

TEST(Words, AMessageMayBreakItsLinesAndNoMore) {
  EXPECT_EQ(harmless("one\ntwo\n"), "one\ntwo\n");
  EXPECT_EQ(harmless("one\r\x1b[1A\n"), "one\\r\\x1b[1A\n");
  EXPECT_LE(harmless(std::string(1'000'000, 'x')).size(), kShownOfAMessage + 3);
}

TEST(Words, ControlsAreFound) {
  EXPECT_EQ(findControl("x**2 + ψ"), std::string::npos);
  EXPECT_EQ(findControl(std::string_view("x\0y", 3)), 1u);
  EXPECT_EQ(findControl("x\n"), 1u);
  EXPECT_EQ(findControl("ψ\x7f"), 2u);
  EXPECT_EQ(findControl("a\xc2\x85"), 1u);
}

}  // namespace
}  // namespace simscope::foreign

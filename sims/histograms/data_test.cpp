#include "sims/histograms/data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/compute/error.h"
#include "sims/core/testing/folder.h"
#include "sims/core/testing/refusal.h"

namespace simscope::histograms {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class OwnEvents : public tests::InFolder {
 protected:
  Events read(const std::string& text) { return readEvents(write("events.csv", text)); }
  std::string refusal(const std::string& text) {
    return tests::refusal([&] { (void)read(text); });
  }
};

TEST_F(OwnEvents, RowsOfOneEventFollowEachOther) {
  const Events events = read("charge,phi,pt,eta,event,extra\n1,0.5,30,1,7,x\n-1,-3,25,-1,7,x\n-1,2,10,0,9,x\n");
  EXPECT_EQ(events.count(), 2u);
  EXPECT_THAT(events.first, ElementsAre(0, 2, 3));
  EXPECT_THAT(events.pt, ElementsAre(30, 25, 10));
  EXPECT_THAT(events.charge, ElementsAre(1, -1, -1));
  const Events unnamed = read("1,30,1,0.5,1\n1,25,-1,5,-1\n");
  EXPECT_THAT(unnamed.first, ElementsAre(0, 2));
  EXPECT_NEAR(unnamed.phi[1], 5 - 2 * 3.14159265, 1e-6) << "φ between -π and π";
}

TEST_F(OwnEvents, PairsMayStandInOneRowAmongOtherColumns) {
  const Events events = read(
      "Run,Event,type1,E1,pt1,eta1,phi1,Q1,type2,pt2,eta2,phi2,Q2,M\n"
      "1,5,G,90,44.7,-0.75,0.12,1,T,20,1,2,-1,70\n1,6,G,90,33,0.5,0.2,-1,G,21,1.5,-2,-1,60\n");
  EXPECT_THAT(events.first, ElementsAre(0, 2, 4));
  EXPECT_THAT(events.charge, ElementsAre(1, -1, -1, -1));
  EXPECT_FLOAT_EQ(events.pt[0], 44.7f);
  EXPECT_FLOAT_EQ(events.eta[3], 1.5f);
}

TEST_F(OwnEvents, ARowMayHaveMoreLeptonsThanTwo) {
  const std::string names = "pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2,pt3,eta3,phi3,Q3,pt4,eta4,phi4,Q4\n";
  const Events events = read(names +
                             "40,0,0,1,41,0,3,-1,30,1,0.5,1,31,1,-2.5,-1\n"
                             "40,0,0,1,41,0,3,-1,0,0,0,0,31,1,-2.5,-1\n40,0,0,1,41,0,3,-1,nan,nan,nan,0,0,9,9,9\n");
  EXPECT_THAT(events.first, ElementsAre(0, 4, 7, 9));
  EXPECT_THAT(std::vector<float>(events.pt.begin(), events.pt.begin() + 7), ElementsAre(40, 41, 30, 31, 40, 41, 31));
  EXPECT_THAT(read("30,0,0,1,31,0,3,-1,32,1,1,1\n").first, ElementsAre(0, 3)) << "without names";
  EXPECT_THAT(refusal("pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2,pt4,eta4,phi4,Q4\n"), HasSubstr("no column 'pt3'"));
  EXPECT_THAT(refusal("pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2,charge3\n"), HasSubstr("no column 'pt3'"));
  EXPECT_THAT(refusal(names + "40,0,0,1,41,0,3,-1,30,1,0.5,2,31,1,-2.5,-1\n"), HasSubstr("row 1: charge3"));
  EXPECT_THAT(refusal(names + "0,0,0,1,41,0,3,-1,30,1,0.5,1,31,1,-2.5,-1\n"), HasSubstr("row 1: pt1"));
}

TEST_F(OwnEvents, AnEventThatComesAgainIsRefusedWithItsRows) {
  const std::string head = "event,pt,eta,phi,charge\n";
  EXPECT_THAT(refusal(head + "1,45,0,0,1\n2,44,0,0,1\n1,45,0,3,-1\n2,44,0,3,-1\n"),
              AllOf(HasSubstr("row 3: event 1 of row 1 comes again"), HasSubstr("sort the table")));
  EXPECT_EQ(read(head + "2,45,0,0,1\n1,44,0,0,1\n-3,45,0,3,-1\n").count(), 3u) << "in any order";
  const std::string runs = "run,event,pt,eta,phi,charge\n";
  EXPECT_THAT(read(runs + "1,5,45,0,0,1\n1,5,45,0,3,-1\n2,5,44,0,0,1\n2,5,44,0,3,-1\n").first, ElementsAre(0, 2, 4));
  EXPECT_THAT(refusal(runs + "1,5,45,0,0,1\n2,5,45,0,3,-1\n1,5,44,0,0,1\n"), HasSubstr("row 3: event 5 of row 1"));
  EXPECT_THAT(refusal(runs + "nan,5,45,0,0,1\n"), HasSubstr("row 1: run"));
}

TEST_F(OwnEvents, AColumnThatIsThereTwiceIsRefused) {
  EXPECT_THAT(refusal("event,pt,eta,phi,charge,pt\n1,2,0,0,1,3\n"),
              AllOf(HasSubstr("'pt' is there twice"), HasSubstr("columns 2 and 6")));
  EXPECT_THAT(refusal("event,pt,eta,phi,charge,Q\n1,2,0,0,1,1\n"), HasSubstr("'charge' is there twice"));
  EXPECT_THAT(refusal("pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2,Phi2\n"), HasSubstr("'phi2' is there twice"));
  EXPECT_EQ(read("event,pt,eta,phi,charge,M,M\n1,2,0,0,1,x,y\n").count(), 1u) << "others may be";
}

TEST_F(OwnEvents, AMissingColumnIsNamedWithTheNearestOne) {
  EXPECT_THAT(refusal("event,pt,Eta_,phi,charge\n1,2,3,4,1\n"),
              AllOf(HasSubstr("no column 'eta'"), HasSubstr("'Eta_'")));
  EXPECT_THAT(refusal("pt1,eta1,phi1,Q1,pt2,eta2,ph2,Q2\n"), AllOf(HasSubstr("no column 'phi2'"), HasSubstr("'ph2'")));
  EXPECT_THAT(refusal("1,2,3\n"), HasSubstr("3 columns without names"));
  EXPECT_THAT(refusal("a\n1\n"), AllOf(HasSubstr("no column 'event'"), HasSubstr("one row per event")));
}

TEST_F(OwnEvents, NumbersThatAreNoLeptonsAreRefusedWithTheirRow) {
  const std::string head = "event,pt,eta,phi,charge\n1,30,0,0,1\n";
  for (const auto& [row, what] : {std::pair{"1,nan,0,0,1", "row 2: pt"},
                                  {"1,-3,0,0,1", "row 2: pt"},
                                  {"1,inf,0,0,1", "row 2: pt"},
                                  {"1,30,99,0,1", "row 2: eta"},
                                  {"1,30,0,90,1", "row 2: phi"},
                                  {"1,30,0,0,0", "row 2: charge"},
                                  {"1,30,0,0,0.5", "row 2: charge"},
                                  {"nan,30,0,0,1", "row 2: event"},
                                  {"1.5,30,0,0,1", "row 2: event"},
                                  {"9007199254740993,30,0,0,1", "row 2: event"}}) {
    EXPECT_THAT(refusal(head + row + "\n"), AllOf(HasSubstr(what), HasSubstr("events.csv"))) << row;
  }
  EXPECT_THAT(refusal("event,pt,eta,phi,charge\n"), HasSubstr("no rows"));
  std::string crowd = head;
  for (int i = 0; i < 70; ++i) crowd += "1,30,0,0,1\n";
  EXPECT_THAT(refusal(crowd), HasSubstr("more than 64 leptons"));
  EXPECT_THROW((void)readEvents("/nowhere/at/all.npy"), UsageError);
}

}  // namespace
}  // namespace simscope::histograms

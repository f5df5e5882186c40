#include "app/session/changes/staged_changes.h"

#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

class AStagedChange : public ASession {
 protected:
  StagedChanges staged;
  void put(const char* key, const Value& value) { staged.put(index(key), value, session.scene.parameters); }
  void settle() {
    untilSettled();
    staged.hear(session);
    session.commitEdits(false);
  }
};

TEST_F(AStagedChange, WaitsUntilAllAreAppliedWithOneRestart) {
  session.commitEdits(false);
  const std::uint64_t epoch = session.status.epoch;
  const std::size_t depth = session.undoDepth();
  put("ring", std::int64_t{7});
  put("speed", 2.5);
  settle();
  EXPECT_EQ(staged.size(), 2u);
  EXPECT_EQ(text("ring"), "12");
  EXPECT_EQ(staged.over(session.scene.parameters).integer("ring"), 7);
  EXPECT_EQ(session.status.epoch, epoch);
  staged.apply(session);
  EXPECT_TRUE(staged.empty());
  settle();
  EXPECT_EQ(session.status.parameters.integer("ring"), 7);
  EXPECT_EQ(session.status.parameters.real("speed"), 2.5);
  EXPECT_EQ(session.status.epoch, epoch + 1);
  EXPECT_EQ(session.undoDepth(), depth + 1) << "one step of undo";
  session.undo();
  settle();
  EXPECT_EQ(text("ring"), "12");
  EXPECT_EQ(text("speed"), "1");
}

TEST_F(AStagedChange, OfWhatTheSceneHasWaitsForNothing) {
  put("ring", std::int64_t{7});
  put("ring", std::int64_t{12});
  EXPECT_TRUE(staged.empty());
  put("ring", std::int64_t{7});
  set("ring", std::int64_t{7});
  settle();
  EXPECT_TRUE(staged.empty()) << "it has come by another way";
}

TEST_F(AStagedChange, ThatIsRefusedComesBackWithAllOthers) {
  put("ring", std::int64_t{600});
  put("speed", 9.5);
  staged.apply(session);
  until([&] { return !session.refusals.empty(); });
  staged.hear(session);
  ASSERT_TRUE(session.refusals.contains(index("speed")));
  EXPECT_EQ(staged.size(), 2u);
  EXPECT_EQ(text("ring"), "12") << "the run goes on as it was";
  put("speed", 9.0);
  staged.apply(session);
  settle();
  EXPECT_EQ(session.status.parameters.integer("ring"), 600);
  EXPECT_EQ(session.status.parameters.real("speed"), 9);
  EXPECT_TRUE(session.refusals.empty());
  EXPECT_TRUE(staged.empty());
}

TEST_F(AStagedChange, ThatWasTakenDoesNotComeBackWithALaterRefusal) {
  put("ring", std::int64_t{600});
  staged.apply(session);
  settle();
  set("ring", std::int64_t{12});
  settle();
  set("speed", 9.5);
  set("ring", std::int64_t{600});
  until([&] { return !session.refusals.empty(); });
  staged.hear(session);
  EXPECT_TRUE(staged.empty());
}

TEST_F(AStagedChange, SetTogetherIsOneChangeThatIsTakenBackAsAWhole) {
  ParameterSet wanted = session.scene.parameters;
  wanted.set("ring", std::int64_t{600});
  wanted.set("speed", 9.5);
  wanted.set("middle_x", 2.0);
  session.setTogether(wanted);
  until([&] { return !session.refusals.empty(); });
  untilSettled();
  EXPECT_EQ(text("ring"), "12");
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(text("middle_x"), "1");
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
  session.setTogether(session.scene.parameters);
  EXPECT_EQ(session.refusals.size(), 1u) << "nothing is no change";
}

}  // namespace
}  // namespace simscope::gui

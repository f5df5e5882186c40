#include "app/gui/panels/parameters/parameters_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/gui/panels/parameters/parameter_scale.h"
#include "app/gui/panels/parameters/parameter_words.h"
#include "app/session/readings/parameter_list.h"
#include "sims/formula/quantity.h"

namespace simscope::gui {

namespace {

constexpr float kLowPanel = 180;

}  // namespace

const Track* ParametersPanel::trackOf(const Session& session, std::size_t index) {
  return session.scene.timeline.track(session.scene.parameters.infos()[index].key);
}

bool ParametersPanel::waits(const ParameterInfo& info) const {
  return info.applies == Applies::OnReset && (bar_.together() || !staged_.empty());
}

void ParametersPanel::apply(Session& session, std::size_t index, const Value& value) {
  if (const Track* track = trackOf(session, index); track && !session.recording()) {
    Track wanted = *track;
    setKeyframe(wanted, session.status.time, numberOf(value));
    applyTrack(session, index, std::move(wanted));
    return;
  }
  refused_.erase(index);
  if (waits(session.scene.parameters.infos()[index])) {
    session.forgetRefusal(index);
    return staged_.put(index, value, session.scene.parameters);
  }
  try {
    session.setParameter(index, value);
  } catch (const UsageError& error) {
    refused_[index] = {
        .typed = toText(value), .unit = session.scene.parameters.unit(index), .why = error.what(), .offers = {}};
  }
}

void ParametersPanel::applyTrack(Session& session, std::size_t index, Track wanted) {
  try {
    session.setTimeline(withTrack(session.scene.timeline, std::move(wanted)),
                        "Keyframes of " + session.scene.parameters.infos()[index].title);
    refused_.erase(index);
  } catch (const UsageError& error) {
    refused_[index] = {.typed = {}, .unit = {}, .why = error.what(), .offers = {}};
  }
}

void ParametersPanel::enter(Session& session, std::size_t index, const std::string& typed) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const std::string& unit = session.scene.parameters.unit(index);
  const std::string& bare = field_.unit();
  try {
    return apply(session, index, formula::readValue(info, typed, unit, bare));
  } catch (const formula::QuantityError& error) {
    FieldRefusal refusal{.typed = typed, .unit = bare, .why = error.what(), .offers = {}};
    if (error.nearest) refusal.offers.push_back(*error.nearest);
    refused_[index] = std::move(refusal);
  } catch (const UsageError& error) {
    refused_[index] = {.typed = typed, .unit = bare, .why = error.what(), .offers = {}};
  }
  // Typed as it stands in a text or on the command line: 5e-7 for 500 nm.
  if (bare == unit) return;
  try {
    refused_[index].offers.push_back(formula::readValue(info, typed, unit));
  } catch (const UsageError&) {
    // Neither.
  }
}

void ParametersPanel::reset(Session& session, const std::vector<std::size_t>& indices, const ParameterSet& reference) {
  ParameterSet wanted = session.scene.parameters;
  for (const std::size_t index : indices) {
    refused_.erase(index);
    if (waits(wanted.infos()[index])) {
      staged_.put(index, reference[index], session.scene.parameters);
    } else {
      wanted.set(index, reference[index]);
    }
  }
  session.setTogether(wanted);
}

// The value being dragged or waiting; otherwise the run's value if it follows keyframes; otherwise the scene's value.
Value ParametersPanel::present(const Session& session, std::size_t index) const {
  if (const Drag* const drag = dragOf(index); drag && drag->held) return *drag->held;
  if (const Value* waiting = staged_.find(index)) return *waiting;
  const bool speaks_of_scene = session.status.description == session.scene.description;
  if (speaks_of_scene && trackOf(session, index)) return session.status.parameters[index];
  return session.scene.parameters[index];
}

// Forgets what belongs to another simulation or preset.
void ParametersPanel::meet(const Session& session) {
  if (description_ != session.scene.description) {
    description_ = session.scene.description;
    preset_ = session.scene.preset;
    drag_.reset();
    refused_.clear();
    staged_.clear();
    field_.forget();
    line_.forget();
    bar_.forget();
    unfolded_.clear();
  } else if (preset_ != session.scene.preset) {
    preset_ = session.scene.preset;
    refused_.clear();
    staged_.clear();
  }
  staged_.hear(session);
}

ParametersPanel::Listing ParametersPanel::listingOf(const Session& session) {
  const ParameterSet shown = staged_.over(session.scene.parameters);
  Listing listing{valuesOf(*session.scene.description, bar_.reference(session.scene.preset)), shown, {}, false};
  for (const std::size_t index : differing(shown, listing.reference, session.scene.timeline)) {
    listing.differs.insert(index);
  }
  // With a refused value (an image without a file), the parameter that it needs is shown and can be set.
  for (const auto& [index, refusal] : session.refusals) listing.wanted.set(index, refusal.value);
  listing.searching = bar_.words().find_first_not_of(' ') != std::string::npos;
  return listing;
}

bool ParametersPanel::isRefused(const Session& session, std::size_t index) const {
  return refused_.contains(index) || session.refusals.contains(index);
}

// A parameter with a refusal is always listed.
bool ParametersPanel::isListed(const Session& session, const Listing& listing, std::size_t index) const {
  if (isRefused(session, index)) return true;
  if (bar_.changedOnly() && !listing.differs.contains(index) && !staged_.find(index)) return false;
  return !listing.searching || isFound(listing.wanted, index, bar_.words());
}

void ParametersPanel::drawBar(Session& session, Ui& ui, const Listing& listing) {
  const std::span<const ParameterInfo> infos = session.scene.parameters.infos();
  const bool restarting =
      std::any_of(infos.begin(), infos.end(), [](const auto& each) { return each.applies == Applies::OnReset; });
  const ScopedDisabled recording(session.recording());
  const ParameterBar::Actions actions =
      bar_.draw(ui, *session.scene.description, session.scene.preset, listing.differs.size(), restarting);
  if (bar_.typing()) typing_ = "search";
  if (actions.reset_all) reset(session, {listing.differs.begin(), listing.differs.end()}, listing.reference);
  if (actions.first) {
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (!isSlidable(infos[i]) || !isListed(session, listing, i)) continue;
      field_.focus(i);
      break;
    }
  }
}

void ParametersPanel::draw(Session& session, Ui& ui) {
  meet(session);
  typing_.clear();
  shown_.clear();
  // Where the list has no room between what stands above and below it, all of them scroll together.
  const bool low = ImGui::GetContentRegionAvail().y < ui.px(kLowPanel);
  if (low) ImGui::BeginChild("parameters_all", {0, 0}, false);
  drawBar(session, ui, listingOf(session));

  const float available = ImGui::GetContentRegionAvail().y;
  const float findings = std::min(findings_height_, available * 0.45f);
  const float waiting = staged_.empty() ? 0 : waiting_height_;
  if (!low) ImGui::BeginChild("parameters_list", {0, -(findings + waiting + ui.px(8))}, false);
  drawList(session, ui, listingOf(session));
  if (!low) ImGui::EndChild();

  if (!staged_.empty()) drawWaiting(session, ui);
  apply_waiting_ = false;

  if (!low) ImGui::BeginChild("findings", {0, 0}, false);
  drawFindings(session, ui);
  if (!low) findings_height_ = ImGui::GetCursorPosY();
  ImGui::EndChild();
}

void ParametersPanel::drawWaiting(Session& session, Ui& ui) {
  const ScopedDisabled recording(session.recording());
  const float top = ImGui::GetCursorPosY();
  const ParameterBar::Waiting wanted = bar_.drawWaiting(ui, staged_.size());
  waiting_height_ = ImGui::GetCursorPosY() - top;
  const bool now = wanted == ParameterBar::Waiting::Apply || (apply_waiting_ && !session.recording());
  if (now) staged_.apply(session);
  if (wanted == ParameterBar::Waiting::Revert) staged_.clear();
}

void ParametersPanel::drawList(Session& session, Ui& ui, const Listing& listing) {
  const ScopedDisabled busy(!session.takesInput());
  const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(6), ui.px(4)});
  const std::span<const ParameterInfo> infos = session.scene.parameters.infos();
  bool any = false;
  for (const std::string& group : groupsOf(infos)) {
    bool listed = false;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      listed = listed || (infos[i].group == group && isListed(session, listing, i));
    }
    if (listed) drawGroup(session, ui, group, listing);
    any = any || listed;
  }
  std::erase_if(told_, [&](const auto& told) { return !isRefused(session, told.first); });
  if (!listing.searching && !bar_.changedOnly() && session.scene.description->random.holds(session.scene.parameters)) {
    heading(ui, "Run");
    const ScopedDisabled recording(session.recording());
    drawSeed(session, ui);
  }
  if (any) return;
  const bool unchanged = bar_.changedOnly() && listing.differs.empty();
  smallLine(ui, unchanged ? "No parameter is changed." : "No parameter matches the search.", ui.colours().dim);
}

void ParametersPanel::drawCure(Session& session, Ui& ui, const Finding& finding) {
  try {
    const ParameterSet& parameters = session.scene.parameters;
    const std::size_t index = parameters.find(finding.key);
    const Value value = parseValue(parameters.infos()[index], finding.value);
    const std::string shown = valueText(parameters, index, value);
    std::string label = fmt::format("Set {} to {}", parameters.title(index), shown);
    if (iconButtonWidth(ui, Icon::None, label.c_str()) > ImGui::GetContentRegionAvail().x) label = "Set to " + shown;
    const std::string help = finding.key + " = " + finding.value;
    if (iconButton(ui, ("cure:" + finding.code).c_str(), Icon::None, label.c_str(), help.c_str())) {
      apply(session, index, value);
    }
  } catch (const UsageError&) {
    // The scene is on the way to another simulation: its findings will come.
  }
}

void ParametersPanel::drawFindings(Session& session, Ui& ui) {
  const UiColours& p = ui.colours();
  const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(6), ui.px(5)});
  heading(ui, "Checks");
  const std::vector<Finding>& findings = session.status.findings;
  if (findings.empty()) {
    ImGui::TextColored(p.good, "%s", session.status.stopped ? "" : "No problems found.");
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const ImVec4& colour = finding.level == Finding::Level::Warning ? p.warning : p.note;
    const ScopedId id(i);
    const Card card(ui, colour);
    const ScopedFont font(ui.fonts.small);
    wrappedText(finding.told(session.status.steps));
    const ScopedDisabled recording(session.recording());
    if (!finding.key.empty()) drawCure(session, ui, finding);
  }
}

}  // namespace simscope::gui

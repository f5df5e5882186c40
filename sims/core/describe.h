// Binds the members of a plain struct (passed to kernels by value) to parameter descriptions, once:
//
//   struct Parameters { int grid_points = 4096; double time_step = 0.05; Potential potential = Potential::Barrier; };
//   const auto& binding() {
//     static const auto b = Binding<Parameters>()
//       .integer(&Parameters::grid_points, "grid_points", {.title = "Grid points N", .minimum = 16, ...})
//       // enumerator i is choices[i]
//       .choice(&Parameters::potential, "potential", {...}, {{"barrier", "Barrier"}, {"step", "Step"}})
//       ...;
//     return b;
//   }
// Defaults come from the struct's own member initialisers. read(set) makes the struct from a checked set.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sims/core/parameters.h"

namespace simscope {

// The parts of a ParameterInfo that a description states; key, kind, and default come from the call and the struct. Of
// a number:
struct ParameterNotes {
  std::string title = {};
  std::string unit = {};
  double minimum = 0;
  double maximum = 0;
  Applies applies = Applies::Live;
  Scale scale = Scale::Linear;
  std::string group = {};
  std::string help = {};
  bool power_of_two = false;
  Relevance relevant = {};
  std::vector<Alias> aliases = {};
};
// Of a choice, a flag, or a text, which have no range.
struct PlainNotes {
  std::string title = {};
  Applies applies = Applies::Live;
  std::string group = {};
  std::string help = {};
  TextUse text_use = TextUse::Plain;
  std::string unit = {};  // of a formula
  Relevance relevant = {};
  std::vector<Alias> aliases = {};
};

template <class P>
class Binding {
 public:
  Binding& integer(int P::*member, std::string key, ParameterNotes notes) {
    return add(Kind::Integer, std::move(key), std::move(notes), static_cast<std::int64_t>(P{}.*member),
               [member](P& p, const Value& v) { p.*member = static_cast<int>(std::get<std::int64_t>(v)); });
  }
  Binding& real(double P::*member, std::string key, ParameterNotes notes) {
    return add(Kind::Real, std::move(key), std::move(notes), P{}.*member,
               [member](P& p, const Value& v) { p.*member = std::get<double>(v); });
  }
  Binding& flag(bool P::*member, std::string key, PlainNotes notes) {
    return add(Kind::Flag, std::move(key), std::move(notes), P{}.*member, {},
               [member](P& p, const Value& v) { p.*member = std::get<bool>(v); });
  }
  template <class Enum>
  Binding& choice(Enum P::*member, std::string key, PlainNotes notes, std::vector<Choice> choices) {
    const std::string initial = choices.at(static_cast<std::size_t>(P{}.*member)).key;
    return add(Kind::Choice, std::move(key), std::move(notes), initial, choices,
               [member, choices](P& p, const Value& v) {
                 for (std::size_t i = 0; i < choices.size(); ++i) {
                   if (choices[i].key == std::get<std::string>(v)) p.*member = static_cast<Enum>(i);
                 }
               });
  }

  // Any text is a valid value; its meaning is checked where the simulation is made or the change applied.
  Binding& text(std::string P::*member, std::string key, PlainNotes notes) {
    return add(Kind::Text, std::move(key), std::move(notes), P{}.*member, {},
               [member](P& p, const Value& v) { p.*member = std::get<std::string>(v); });
  }

  // The parameter added last matters only under this condition.
  Binding& relevant(Relevance relevance) {
    infos_->back().relevant = std::move(relevance);
    return *this;
  }

  const std::shared_ptr<std::vector<ParameterInfo>>& infos() const noexcept { return infos_; }

  P read(const ParameterSet& set) const {
    P p{};
    for (std::size_t i = 0; i < setters_.size(); ++i) setters_[i](p, set[i]);
    return p;
  }

 private:
  using Setter = std::function<void(P&, const Value&)>;

  Binding& add(Kind kind, std::string key, ParameterNotes notes, Value initial, Setter setter) {
    infos_->push_back({.key = std::move(key),
                       .title = std::move(notes.title),
                       .unit = std::move(notes.unit),
                       .help = std::move(notes.help),
                       .kind = kind,
                       .applies = notes.applies,
                       .scale = notes.scale,
                       .initial = std::move(initial),
                       .minimum = notes.minimum,
                       .maximum = notes.maximum,
                       .power_of_two = notes.power_of_two,
                       .group = std::move(notes.group),
                       .relevant = std::move(notes.relevant),
                       .aliases = std::move(notes.aliases)});
    setters_.push_back(std::move(setter));
    return *this;
  }
  Binding& add(Kind kind, std::string key, PlainNotes notes, Value initial, std::vector<Choice> choices,
               Setter setter) {
    infos_->push_back({.key = std::move(key),
                       .title = std::move(notes.title),
                       .unit = std::move(notes.unit),
                       .help = std::move(notes.help),
                       .kind = kind,
                       .applies = notes.applies,
                       .initial = std::move(initial),
                       .choices = std::move(choices),
                       .text_use = notes.text_use,
                       .group = std::move(notes.group),
                       .relevant = std::move(notes.relevant),
                       .aliases = std::move(notes.aliases)});
    setters_.push_back(std::move(setter));
    return *this;
  }

  std::shared_ptr<std::vector<ParameterInfo>> infos_ = std::make_shared<std::vector<ParameterInfo>>();
  std::vector<Setter> setters_;
};

}  // namespace simscope

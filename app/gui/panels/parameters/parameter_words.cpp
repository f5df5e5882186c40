#include "app/gui/panels/parameters/parameter_words.h"

#include <fmt/format.h>

#include "sims/formula/quantity.h"

namespace simscope::gui {

std::string parameterHelp(const ParameterSet& parameters, std::size_t index) {
  const ParameterInfo& info = parameters.infos()[index];
  const std::string& unit = parameters.unit(index);
  std::string text = parameters.title(index);
  if (!unit.empty()) text += " [" + unit + "]";
  if (!info.help.empty()) text += "\n" + info.help;
  if (!parameters.matters(index)) text += "\nUsed only with " + shownText(info.relevant, parameters.infos()) + ".";
  text += fmt::format("\n\nkey: {}\nrange: {}\ndefault: {}", info.key, formula::rangeIn(info, unit),
                      formula::quantityText(info, info.initial, unit));
  text += info.applies == Applies::OnReset ? "\nA change restarts the run." : "\nA change applies at once.";
  return text;
}

std::string valueText(const ParameterSet& parameters, std::size_t index, const Value& value) {
  const std::string text = formula::quantityText(parameters.infos()[index], value, parameters.unit(index));
  return text.empty() ? "no text" : text;
}

}  // namespace simscope::gui

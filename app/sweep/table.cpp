#include "app/sweep/table.h"

#include <algorithm>
#include <span>

#include "app/export/npy.h"

namespace simscope::sweep {

namespace {

double numberIn(const ParameterSet& parameters, std::size_t index) {
  return parameters.real(parameters.infos()[index].key);
}

}  // namespace

std::vector<std::size_t> shownDiagnostics(const Plan& plan) {
  std::vector<std::size_t> shown;
  const auto add = [&](std::size_t diagnostic) {
    if (std::find(shown.begin(), shown.end(), diagnostic) == shown.end()) shown.push_back(diagnostic);
  };
  for (const std::size_t measure : plan.measures) {
    add(measure);
    if (const auto exact = exactOf(plan.description(), measure)) add(*exact);
  }
  return shown;
}

std::vector<exporting::CsvColumn> columnsOf(const Plan& plan) {
  const Description& description = plan.description();
  std::vector<exporting::CsvColumn> columns;
  for (const Axis& axis : plan.axes) {
    columns.push_back({(*description.parameters)[axis.parameter].key, plan.scene.parameters.unit(axis.parameter)});
  }
  columns.push_back({"time", description.clock.unit});
  for (const std::size_t each : shownDiagnostics(plan)) {
    columns.push_back({description.diagnostics[each].key, description.diagnostics[each].unit});
  }
  return columns;
}

std::vector<double> rowOf(const Plan& plan, const Result& result, std::size_t run) {
  const ParameterSet parameters = plan.parametersOf(run);
  std::vector<double> row;
  for (const Axis& axis : plan.axes) row.push_back(numberIn(parameters, axis.parameter));
  row.push_back(result.runs[run].time);
  for (const std::size_t each : shownDiagnostics(plan)) row.push_back(result.runs[run].diagnostics[each]);
  return row;
}

void writeRows(const Plan& plan, const Result& result, exporting::CsvFile& file) {
  for (std::size_t run = 0; run < plan.runs(); ++run) file.row(rowOf(plan, result, run));
  file.complete();
}

void writeArray(const Plan& plan, const Result& result, exporting::PendingFile& file) {
  const std::size_t first = plan.values.front().size(), second = plan.runs() / first;
  std::vector<double> data;
  for (std::size_t i = 0; i < first; ++i) {
    for (std::size_t j = 0; j < second; ++j) {
      const std::vector<double> row = rowOf(plan, result, j * first + i);
      data.insert(data.end(), row.begin(), row.end());
    }
  }
  std::vector<std::size_t> shape = {first};
  if (plan.axes.size() > 1) shape.push_back(second);
  shape.push_back(columnsOf(plan).size());
  exporting::writeNpy(file, "<f8", shape, std::as_bytes(std::span(data)));
  file.complete();
}

}  // namespace simscope::sweep

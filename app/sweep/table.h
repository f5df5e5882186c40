// A sweep's numbers as a table and as an array: one row per run, with the swept parameters, the time at the end, the
// measured diagnostics, and beside each the exact one if there is one.
//
// Plain functions; the caller opens the files before anything is computed. Errors: as exporting.
#pragma once

#include <string>
#include <vector>

#include "app/export/csv.h"
#include "app/export/files.h"
#include "app/sweep/runner.h"

namespace simscope::sweep {

// The diagnostics of the table's columns: those measured, each followed by its exact value.
std::vector<std::size_t> shownDiagnostics(const Plan& plan);
std::vector<exporting::CsvColumn> columnsOf(const Plan& plan);
std::vector<double> rowOf(const Plan& plan, const Result& result, std::size_t run);

// In the order of the runs; complete(), but not placed.
void writeRows(const Plan& plan, const Result& result, exporting::CsvFile& file);
// float64 of shape (values of the first parameter, values of the second one if there is one, columns); likewise.
void writeArray(const Plan& plan, const Result& result, exporting::PendingFile& file);

}  // namespace simscope::sweep

// The tables of keys that the workload file, the plan file's workloads and measured tables are read by. Inside this
// room only.
#pragma once

#include "text/text.h"

namespace carve {

const Schema& workload_file_schema();
const Schema& workload_schema();          // as people write it
const Schema& planned_workload_schema();  // as plan files hold it: the rows of the measured table inline
const Schema& measured_row_schema();      // of a measured table
const Schema& planned_row_schema();       // of a plan file

// One of the shapes of `compute`, `{slices: 2}`.
const Schema& slices_schema();

}  // namespace carve

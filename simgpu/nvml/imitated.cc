// Which driver this build of the library imitates. Compiled once for each, with the number of its branch.
#include "simgpu/nvml/library.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

#if CARVE_SIM_BRANCH == 450
constexpr Imitated chosen{450051, "450.51.06", 11000};
#elif CARVE_SIM_BRANCH == 525
constexpr Imitated chosen{525125, "525.125.06", 12000};
#elif CARVE_SIM_BRANCH == 580
constexpr Imitated chosen{580065, newest_driver, 13000};
#else
#error "CARVE_SIM_BRANCH names no driver that is imitated"
#endif

const Imitated imitated = chosen;

}  // namespace carve::sim

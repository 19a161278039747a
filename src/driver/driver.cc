// A read: in a child, the driver is asked and each occupant looked up; what it found comes back as bytes.
#include "driver/driver.h"

#include "driver/answer.h"
#include "driver/child.h"
#include "driver/nvml/read.h"
#include "driver/proc/proc.h"

namespace carve {

namespace {

Result<Machine> read_here(const ReadOptions& options, Watch& watch) {
  TRY(const NvmlLibrary library, NvmlLibrary::load(options.library, watch));
  TRY(Machine machine, [&]() -> Result<Machine> {
    TRY(const NvmlSession session, NvmlSession::open(library));
    return read_through_nvml(library, options.use_since);
  }());
  for (LiveCard& card : machine.cards) look_up_occupants(card, options.root, watch);
  return machine;
}

}  // namespace

Result<Machine> read_machine(const ReadOptions& options) {
  TRY(const std::string bytes,
      in_child(options.limit, [&](Watch& watch) { return pack_answer(read_here(options, watch)); }));
  return unpack_answer(bytes);
}

}  // namespace carve

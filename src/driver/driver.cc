// A read: in a child, the driver is asked and each occupant looked up; what it found comes back as bytes.
#include "driver/driver.h"

#include "driver/archive.h"
#include "driver/child.h"
#include "driver/nvml/read.h"
#include "driver/proc/proc.h"

namespace carve {

namespace {

Result<Machine> read_here(const ReadOptions& options, Watch& watch) {
  TRY(const NvmlLibrary library, NvmlLibrary::load(options.library, watch));
  TRY(Machine machine, [&]() -> Result<Machine> {
    TRY(const NvmlSession session, NvmlSession::open(library));
    return read_through_nvml(library);
  }());
  for (LiveCard& card : machine.cards) look_up_occupants(card, options.root, watch);
  return machine;
}

// The machine or the error, behind a byte that says which.
std::string pack(Result<Machine> read) {
  ArchiveWriter archive;
  bool done = read.has_value();
  archive(done);
  if (done)
    archive(*read);
  else
    archive(read.error());
  return archive.take();
}

Result<Machine> unpack(const std::string& bytes) {
  ArchiveReader archive(bytes);
  bool done = false;
  Machine machine;
  Error error;
  archive(done);
  if (done)
    archive(machine);
  else
    archive(error);
  if (!archive.complete())
    return fail(
        Error{Fault::environment, "the process that asks the driver ended in the middle of its answer", {}, "", {}});
  if (!done) return fail(std::move(error));
  return machine;
}

}  // namespace

Result<Machine> read_machine(const ReadOptions& options) {
  TRY(const std::string bytes, in_child(options.limit, [&](Watch& watch) { return pack(read_here(options, watch)); }));
  return unpack(bytes);
}

}  // namespace carve

// The machine or the error, behind a byte that says which.
#include "driver/answer.h"

#include "driver/archive.h"

namespace carve {

std::string pack_answer(Result<Machine> read) {
  ArchiveWriter archive;
  bool done = read.has_value();
  archive(done);
  if (done)
    archive(*read);
  else
    archive(read.error());
  return archive.take();
}

Result<Machine> unpack_answer(std::string_view bytes) {
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

}  // namespace carve

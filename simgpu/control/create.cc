// A machine from an order: boards, identities, a situation in which nothing has happened yet.
#include <sys/stat.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "simgpu/control/fault.h"
#include "simgpu/control/model.h"

namespace carve::sim {

namespace {

// Minors are not indices, and indices follow the bus.
void set_identity(Board& board, std::uint64_t seed, int index) {
  std::snprintf(board.uuid.bytes, sizeof board.uuid.bytes, "GPU-%s",
                uuid_from(seed, 0x1000u + static_cast<std::uint64_t>(index)).bytes);
  std::snprintf(board.serial.bytes, sizeof board.serial.bytes, "SIM%010llu",
                static_cast<unsigned long long>(seed % 100'000'000 * 100 + static_cast<std::uint64_t>(index)));
  board.pci_bus = static_cast<std::uint32_t>(7 + 7 * index);
  board.minor = static_cast<std::uint32_t>((5 * index + 3) % max_cards);
}

Result<void> add_cards(Machine& machine, const CardOrder& order) {
  TRY(const ModelRow* row, find_row(order.card));
  TRY(const Board board, board_of(*row, order));
  for (int i = 0; i < order.count; ++i) {
    if (machine.boards.count == max_cards)
      return fail(Error{Fault::bad_input, fmt::format("a machine has at most {} cards", max_cards), {}, "", {}});
    Board& placed = machine.boards.rows[machine.boards.count];
    placed = board;
    set_identity(placed, machine.boards.seed, machine.boards.count);
    ++machine.boards.count;
  }
  return {};
}

}  // namespace

Result<void> create_machine(const std::string& folder, const MachineOrder& order) {
  const auto machine = std::make_unique<Machine>();
  machine->boards.seed = order.seed;
  for (const CardOrder& card : order.cards) TRY_VOID(add_cards(*machine, card));
  if (machine->boards.count == 0) return fail(Error{Fault::bad_input, "a machine needs a card", {}, "", {}});
  machine->now.boot = 1;
  machine->now.loaded = 1;
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return fail(Error{
        Fault::environment, fmt::format("cannot make the folder {}: {}", folder, std::strerror(errno)), {}, "", {}});
  if (const StoreFault fault = create_store(folder.c_str(), *machine); fault != StoreFault::none)
    return fail(error_of(fault, folder));
  return {};
}

}  // namespace carve::sim

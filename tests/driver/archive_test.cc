// Machines as bytes and back.
#include "driver/archive.h"

#include <unistd.h>

#include "driver/sample.h"

namespace carve::sample {
namespace {

std::string bytes_of(Machine machine) {
  ArchiveWriter writer;
  writer(machine);
  return writer.take();
}

// A machine with everything in it: parts, occupants, figures that are missing.
Machine machine_with_everything() {
  sim::CutMachine simulated("h100-80gb,t4", 450);
  cut(simulated, 0, {9, 19});
  for (const sim::Held where : {sim::Held{0, 2, 0}, sim::Held{1}}) {
    sim::ProcessOrder order;
    order.pid = ::getpid();
    order.memory = Mib{5};
    order.where = where;
    EXPECT_TRUE(simulated.control.add_process(order));
  }
  Machine machine = read(450);
  machine.cards.at(1).lost = "lost";
  return machine;
}

TEST(Archive, GivesBackWhatWasPutIn) {
  const std::string bytes = bytes_of(machine_with_everything());
  Machine machine;
  ArchiveReader reader(bytes);
  reader(machine);
  EXPECT_TRUE(reader.complete());
  EXPECT_EQ(bytes_of(machine), bytes);
  EXPECT_EQ(machine.cards.at(0).instances->size(), 2u);
  EXPECT_EQ(machine.cards.at(1).lost, "lost");
}

// The writer may die anywhere.
TEST(Archive, NothingThatIsCutShortIsComplete) {
  const std::string bytes = bytes_of(machine_with_everything());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Machine machine;
    ArchiveReader reader(std::string_view(bytes).substr(0, length));
    reader(machine);
    ASSERT_FALSE(reader.complete()) << length << " of " << bytes.size();
  }
}

TEST(Archive, NothingWithARestIsComplete) {
  const std::string bytes = bytes_of(Machine{}) + '\0';
  Machine machine;
  ArchiveReader reader(bytes);
  reader(machine);
  EXPECT_FALSE(reader.complete());
}

}  // namespace
}  // namespace carve::sample

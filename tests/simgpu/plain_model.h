// The rules of MIG once more, written down plainly for the tests: tables of literal places, lists of instances, loops.
// It shares no code and no table with the simulator or with carve, so that one wrong rule cannot agree with itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace carve::plain {

// One call of a history. What an argument means hangs on the call; unused ones are 0.
enum class Call : int {
  init,
  get_mode,           // card
  set_mode,           // card, mode
  create,             // card, profile id
  create_at,          // card, profile id, start, size
  destroy,            // handle
  gpu_by_id,          // card, id
  gpu_info,           // handle
  list,               // card, profile id
  capacity,           // card, profile id
  create_compute,     // handle, profile
  create_compute_at,  // handle, profile, start, size
  destroy_compute,    // handle
  compute_by_id,      // handle, id
  compute_info,       // handle
  compute_capacity,   // handle, profile
  mig_device,         // card, index
  count,
};

struct Question {
  Call call = Call::init;
  unsigned card = 0;
  std::uint64_t handle = 0;
  unsigned id = 0;  // profile, instance, index or mode
  unsigned start = 0, size = 0;
};

// values: numbers that the call gives; handles: instances that it names.
struct Answer {
  int code = 0;
  unsigned values[5] = {};
  std::uint64_t handles[8] = {};
  unsigned handle_count = 0;
};

struct Compute {
  unsigned id, profile, start, size, index;
  std::uint64_t handle = 0;  // 0: nobody has heard it yet
};

struct Gpu {
  unsigned id, profile, start, size;
  std::uint64_t handle = 0;
  std::vector<Compute> computes;  // in the order of creation
};

struct CardState {
  std::string model;
  unsigned mode = 1, pending = 1;
  std::vector<Gpu> gpus;
};

class Model {
 public:
  // All cards have MIG on and no instances. Models: h100-sxm5-80gb, a100-40gb, a30-24gb, rtx-pro-6000-96gb.
  explicit Model(const std::vector<std::string>& cards);

  // Whether this is what the driver must answer; if so, the model has done it. `answer` may be null: a call that was
  // done but of which nobody heard. What is wrong is put into `complaint`.
  bool accept(const Question&, const Answer* answer);
  // The call changes something and would succeed.
  bool would_change(const Question&) const;

  std::string complaint;
  std::vector<CardState> cards;

 private:
  struct Found {
    CardState* card = nullptr;
    Gpu* gpu = nullptr;
    Compute* compute = nullptr;
  };
  Found find(std::uint64_t handle);
  bool learn(std::uint64_t& known, std::uint64_t heard);

  Answer answer_to(const Question&);
  Answer create(const Question&);
  Answer create_compute(const Question&, Gpu&, CardState&);
  Answer ask_gpu(const Question&, Found);
  bool take_handles(const Question&, const Answer&);
};

}  // namespace carve::plain

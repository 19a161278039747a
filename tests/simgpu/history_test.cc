// Random histories: four processes call the library at once, some of them are killed in the middle, and what they were
// told is compared with a plain model of the rules.
//
// The order of calls is the library's own log (CARVE_SIM_LOG), whose lines are written under the machine's lock. A line
// also has the number of changes that the machine has seen. A process notes each question before it asks, in memory
// that outlives it. So of the last question of one that was killed we know: it is in the log (done, answer perhaps not
// heard); or the number of changes jumps (done, not logged); or neither, and it was not done.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"
#include "simgpu/plain_model.h"

namespace carve::sim {

namespace {

using plain::Answer;
using plain::Call;
using plain::Model;
using plain::Question;

constexpr int clients = 4;
constexpr int calls_each = 2500;
constexpr int kills = 8;
constexpr int most_lives = clients + kills;
const std::vector<std::string> models = {"h100-sxm5-80gb", "a100-40gb", "a30-24gb", "rtx-pro-6000-96gb"};

struct Noted {
  Question question;
  Answer answer;
  std::atomic<bool> heard;  // the answer is there
};

// One process, from its start to its end.
struct Life {
  int pid;
  int quota;  // of questions
  std::atomic<int> asked;
  Noted notes[calls_each];
};

struct Shared {
  Life lives[most_lives];
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  unsigned below(unsigned limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<unsigned>((state_ >> 11) % limit);
  }

 private:
  std::uint64_t state_;
};

template <class Handle>
std::uint64_t number_of(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

// One process that asks random questions.
class Client {
 public:
  Client(Life& life, std::uint64_t seed) : life_(life), dice_(seed) {}

  void run() {
    ask({});
    for (unsigned card = 0; card < models.size(); ++card) {
      // The model knows nothing of cards' handles; these lines of the log are passed over.
      nvml_.call("nvmlDeviceGetHandleByIndex_v2", card, &devices_[card]);
    }
    while (life_.asked < life_.quota) ask(next());
  }

 private:
  Question next() {
    static constexpr unsigned ids[] = {19, 14, 9, 5, 0, 15, 20, 21, 47, 65, 67, 35, 64, 66, 32, 77};
    static constexpr Call often[] = {Call::create, Call::create_at, Call::destroy, Call::create_compute,
                                     Call::destroy_compute};
    Question question;
    const bool common = dice_.below(2) == 0;
    question.call =
        common ? often[dice_.below(5)] : static_cast<Call>(1 + dice_.below(static_cast<unsigned>(Call::count) - 1));
    question.card = dice_.below(static_cast<unsigned>(models.size()));
    question.start = dice_.below(13);
    question.size = 1 + dice_.below(dice_.below(2) == 0 ? 3 : 12);
    question.id = dice_.below(12);
    switch (question.call) {
      case Call::create:
      case Call::create_at:
      case Call::list:
      case Call::capacity:
        question.id = ids[dice_.below(16)];
        break;
      case Call::set_mode:
        question.id = dice_.below(2);
        break;
      case Call::gpu_by_id:
        question.id = dice_.below(16);
        break;
      case Call::create_compute:
      case Call::create_compute_at:
      case Call::compute_capacity:
        question.id = dice_.below(6);
        question.start = dice_.below(4);
        question.size = 1 + dice_.below(4);
        break;
      default:
        break;
    }
    question.handle = known_handle(question.call);
    return question;
  }

  std::uint64_t known_handle(Call call) {
    const bool about_compute = call == Call::destroy_compute || call == Call::compute_info;
    const auto& known = about_compute ? computes_ : gpus_;
    if (known.empty()) return 0;
    const std::size_t newest = std::min<std::size_t>(known.size(), 12);
    return known[known.size() - 1 - dice_.below(static_cast<unsigned>(newest))];
  }

  void ask(const Question& question) {
    Noted& note = life_.notes[life_.asked];
    note.question = question;
    note.heard = false;
    ++life_.asked;
    note.answer = put(question);
    note.heard = true;
    const auto& answer = note.answer;
    if (answer.code == success || answer.code == invalid_argument) forget_gone(question);
    const bool makes_compute = question.call == Call::create_compute || question.call == Call::create_compute_at ||
                               question.call == Call::compute_by_id;
    if (question.call == Call::list) return;  // which is which, the model cannot tell if it has not heard of one yet
    for (unsigned i = 0; answer.code == success && i < answer.handle_count; ++i)
      (makes_compute ? computes_ : gpus_).push_back(answer.handles[i]);
  }

  void forget_gone(const Question& question) {
    if (question.call == Call::destroy) std::erase(gpus_, question.handle);
    if (question.call == Call::destroy_compute) std::erase(computes_, question.handle);
  }

  Answer put(const Question& q) {
    Answer answer;
    const Device card = devices_[q.card];
    const auto gpu = reinterpret_cast<GpuInstanceHandle>(q.handle);
    const auto compute = reinterpret_cast<ComputeInstanceHandle>(q.handle);
    const Placement place{q.start, q.size};
    const Placement* where = &place;
    GpuInstanceHandle made = nullptr;
    ComputeInstanceHandle made_compute = nullptr;
    switch (q.call) {
      case Call::init:
        answer.code = nvml_.call("nvmlInit_v2");
        break;
      case Call::get_mode:
        answer.code = nvml_.call("nvmlDeviceGetMigMode", card, &answer.values[0], &answer.values[1]);
        break;
      case Call::set_mode: {
        Return activation = success;
        answer.code = nvml_.call("nvmlDeviceSetMigMode", card, q.id, &activation);
        answer.values[0] = static_cast<unsigned>(activation);
        break;
      }
      case Call::create:
        answer.code = nvml_.call("nvmlDeviceCreateGpuInstance", card, q.id, &made);
        break;
      case Call::create_at:
        answer.code = nvml_.call("nvmlDeviceCreateGpuInstanceWithPlacement", card, q.id, where, &made);
        break;
      case Call::destroy:
        answer.code = nvml_.call("nvmlGpuInstanceDestroy", gpu);
        break;
      case Call::gpu_by_id:
        answer.code = nvml_.call("nvmlDeviceGetGpuInstanceById", card, q.id, &made);
        break;
      case Call::create_compute:
        answer.code = nvml_.call("nvmlGpuInstanceCreateComputeInstance", gpu, q.id, &made_compute);
        break;
      case Call::create_compute_at:
        answer.code = nvml_.call("nvmlGpuInstanceCreateComputeInstanceWithPlacement", gpu, q.id, where, &made_compute);
        break;
      case Call::destroy_compute:
        answer.code = nvml_.call("nvmlComputeInstanceDestroy", compute);
        break;
      case Call::compute_by_id:
        answer.code = nvml_.call("nvmlGpuInstanceGetComputeInstanceById", gpu, q.id, &made_compute);
        break;
      default:
        return put_look(q);
    }
    if (made != nullptr) answer.handles[answer.handle_count++] = number_of(made);
    if (made_compute != nullptr) answer.handles[answer.handle_count++] = number_of(made_compute);
    return answer;
  }

  Answer put_look(const Question& q) {
    Answer answer;
    const Device card = devices_[q.card];
    const auto gpu = reinterpret_cast<GpuInstanceHandle>(q.handle);
    if (q.call == Call::gpu_info) {
      GpuInstanceInfo info{};
      answer.code = nvml_.call("nvmlGpuInstanceGetInfo", gpu, &info);
      answer = {answer.code, {info.id, info.profile_id, info.placement.start, info.placement.size}, {}, 0};
    } else if (q.call == Call::compute_info) {
      ComputeInstanceInfo info{};
      const auto compute = reinterpret_cast<ComputeInstanceHandle>(q.handle);
      answer.code = nvml_.call("nvmlComputeInstanceGetInfo_v2", compute, &info);
      answer = {answer.code, {info.id, info.profile_id, info.placement.start, info.placement.size}, {}, 0};
    } else if (q.call == Call::list) {
      GpuInstanceHandle found[8] = {};
      answer.code = nvml_.call("nvmlDeviceGetGpuInstances", card, q.id, static_cast<GpuInstanceHandle*>(found),
                               &answer.handle_count);
      for (unsigned i = 0; i < answer.handle_count; ++i) answer.handles[i] = number_of(found[i]);
    } else if (q.call == Call::capacity) {
      answer.code = nvml_.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card, q.id, &answer.values[0]);
    } else if (q.call == Call::compute_capacity) {
      answer.code = nvml_.call("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", gpu, q.id, &answer.values[0]);
    } else {
      Device mig = nullptr;
      answer.code = nvml_.call("nvmlDeviceGetMigDeviceHandleByIndex", card, q.id, &mig);
    }
    return answer;
  }

  Life& life_;
  Dice dice_;
  Nvml nvml_;
  Device devices_[8] = {};
  std::vector<std::uint64_t> gpus_, computes_;
};

class History {
 public:
  explicit History(std::uint64_t seed) : seed_(seed), dice_(seed + 1000) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared_ = static_cast<Shared*>(memory);
    log_ = machine_.folder.path() + "/log";
    ::setenv("CARVE_SIM_LOG", log_.c_str(), 1);
  }
  ~History() {
    ::unsetenv("CARVE_SIM_LOG");
    ::munmap(shared_, sizeof(Shared));
  }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  void make() {
    for (int i = 0; i < clients; ++i) begin(calls_each);
    for (int i = 0; i < kills; ++i) {
      ::usleep(dice_.below(20'000));
      kill_one();
    }
    for (int i = 0; i < lives_; ++i) {
      if (!ended_[i]) ::waitpid(shared_->lives[i].pid, nullptr, 0);
    }
  }

  // Replays the log; false with a failure at the first difference.
  bool agrees() {
    std::ifstream lines(log_);
    Line line;
    while (lines >> line.pid >> line.changes >> line.function >> line.code) {
      if (line.function == "nvmlDeviceGetHandleByIndex_v2") continue;
      if (line.function == "killed") {
        seal(line.pid);
      } else if (!replay(line)) {
        return false;
      }
    }
    return ends_alike();
  }

  std::size_t unheard = 0;  // calls that were done without their caller hearing of it
  std::size_t replayed = 0;
  std::size_t changed = 0;

 private:
  struct Line {
    int pid = 0;
    std::uint64_t changes = 0;
    std::string function;
    int code = 0;
  };

  void begin(int quota) {
    Life& life = shared_->lives[lives_];
    life.quota = quota;
    const int pid = ::fork();
    if (pid == 0) {
      Client(life, seed_ * 100 + static_cast<std::uint64_t>(lives_)).run();
      ::_exit(0);
    }
    life.pid = pid;
    ++lives_;
  }

  void kill_one() {
    const int victim = static_cast<int>(dice_.below(static_cast<unsigned>(lives_)));
    Life& life = shared_->lives[victim];
    if (ended_[victim]) return;
    ended_[victim] = true;
    ::kill(life.pid, SIGKILL);
    ::waitpid(life.pid, nullptr, 0);
    std::ofstream(log_, std::ios::app) << life.pid << " 0 killed 0\n";
    begin(std::max(1, calls_each - life.asked));
    await_lines();
  }

  // Of two who died in one moment nobody could tell which of them made a change that is not in the log. Some twenty
  // lines later nothing of the first is open any more.
  void await_lines() const {
    constexpr std::uintmax_t twenty_lines = 1000;
    const std::uintmax_t before = std::filesystem::file_size(log_);
    for (int i = 0; i < 1000 && std::filesystem::file_size(log_) < before + twenty_lines; ++i) ::usleep(200);
  }

  int life_of(int pid) const {
    for (int i = 0; i < lives_; ++i) {
      if (shared_->lives[i].pid == pid) return i;
    }
    return -1;
  }

  // From here on, what a dead process had asked and is not in the log was either done before the next line, or never.
  void seal(int pid) {
    const int life = life_of(pid);
    if (shared_->lives[life].asked > replayed_[life]) pending_.push_back(life);
  }

  // The number of changes jumps: somebody who is dead did something of which the log knows nothing. It may be that its
  // death is noted further down.
  bool explain_jump() {
    for (int life = 0; life < lives_; ++life) {
      const int next = replayed_[life];
      if (!ended_[life] || shared_->lives[life].asked <= next) continue;
      const Question& question = shared_->lives[life].notes[next].question;
      const bool last = shared_->lives[life].asked == next + 1;
      if (!last || (question.call != Call::init && !model_.would_change(question))) continue;
      model_.accept(question, nullptr);
      ++replayed_[life];
      ++unheard;
      return true;
    }
    return false;
  }

  bool replay(const Line& line) {
    const int life = life_of(line.pid);
    const Noted& note = shared_->lives[life].notes[replayed_[life]];
    const bool changes =
        line.code == success && (note.question.call == Call::init || model_.would_change(note.question));
    if (seen_ == 0) seen_ = line.changes - 1;
    std::uint64_t expected = seen_ + (changes ? 1 : 0);
    if (line.changes == expected + 1) {
      if (!explain_jump()) {
        ADD_FAILURE() << "seed " << seed_ << ": a change that nobody made, before " << line.function;
        return false;
      }
      ++expected;
    }
    for (const int dead : pending_) replayed_[dead] = shared_->lives[dead].asked;  // it was never done
    pending_.clear();
    seen_ = line.changes;
    ++replayed;
    changed += changes ? 1 : 0;
    ++replayed_[life];
    const bool good = line.changes == expected && model_.accept(note.question, note.heard ? &note.answer : nullptr);
    if (!note.heard) ++unheard;
    if (!good) ADD_FAILURE() << "seed " << seed_ << ": " << line.function << ": " << model_.complaint;
    return good;
  }

  bool ends_alike() {
    bool good = true;
    for (unsigned card = 0; card < models.size(); ++card) {
      const Device device = machine_.nvml.device(card);
      for (unsigned id = 0; id < 15; ++id) {
        Question question{Call::gpu_by_id, card, 0, id, 0, 0};
        Answer answer;
        GpuInstanceHandle found = nullptr;
        answer.code = machine_.nvml.call("nvmlDeviceGetGpuInstanceById", device, id, &found);
        answer.handles[0] = number_of(found);
        good = good && model_.accept(question, &answer);
      }
    }
    EXPECT_TRUE(good) << "seed " << seed_ << ", at the end: " << model_.complaint;
    return good;
  }

  std::uint64_t seed_;
  Dice dice_;
  CutMachine machine_{"h100-sxm5-80gb,a100-40gb,a30-24gb,rtx-pro-6000-96gb"};
  Shared* shared_ = nullptr;
  std::string log_;
  int lives_ = 0;
  bool ended_[most_lives] = {};
  int replayed_[most_lives] = {};
  std::vector<int> pending_;
  std::uint64_t seen_ = 0;
  Model model_{models};
};

int seeds() {
  if (const char* asked = std::getenv("CARVE_SIM_SEEDS")) return std::atoi(asked);
  return std::getenv("CARVE_LONG") != nullptr ? 20 : 2;
}

TEST(History, OfFourProcessesAgreesWithThePlainModel) {
  std::size_t unheard = 0;
  for (int seed = 1; seed <= seeds(); ++seed) {
    History history(static_cast<std::uint64_t>(seed));
    history.make();
    if (!history.agrees()) return;
    EXPECT_GE(history.replayed, static_cast<std::size_t>(clients * calls_each - kills)) << "seed " << seed;
    EXPECT_GE(history.changed, 1000u) << "seed " << seed;
    unheard += history.unheard;
  }
  RecordProperty("unheard", static_cast<int>(unheard));
}

}  // namespace

}  // namespace carve::sim

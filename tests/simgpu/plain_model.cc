#include "simgpu/plain_model.h"

#include <algorithm>

#include <fmt/format.h>

namespace carve::plain {

namespace {

constexpr int ok = 0, invalid = 2, not_found = 6, in_use = 19, no_room = 23;

struct Row {
  unsigned id, slices, size, most;
  std::vector<unsigned> starts;  // in the order in which the driver prefers them
  char media = '.';              // '+' "+me", 'a' "+me.all", '-' "-me"
};

struct Grid {
  unsigned slices, instances;
  bool needs_reset;
  std::vector<Row> rows;
};

const std::vector<unsigned> singles = {6, 4, 5, 0, 1, 2, 3};

const std::map<std::string, Grid>& grids() {
  static const std::vector<Row> eighths = {
      {19, 1, 1, 7, singles},   {20, 1, 1, 1, singles, '+'}, {15, 1, 2, 4, {4, 6, 0, 2}},
      {14, 2, 2, 3, {4, 0, 2}}, {9, 3, 4, 2, {4, 0}},        {5, 4, 4, 1, {0}},
      {0, 7, 8, 1, {0}}};
  static const std::map<std::string, Grid> all = {
      {"h100-sxm5-80gb", {7, 7, false, eighths}},
      {"a100-40gb", {7, 7, true, eighths}},
      {"a30-24gb",
       {4,
        4,
        true,
        {{14, 1, 1, 4, {0, 1, 2, 3}}, {21, 1, 1, 1, {0, 1, 2, 3}, '+'}, {5, 2, 2, 2, {0, 2}}, {0, 4, 4, 1, {0}}}}},
      {"rtx-pro-6000-96gb",
       {4,
        4,
        false,
        {{14, 1, 3, 4, {0, 3, 6, 9}},
         {21, 1, 3, 1, {0, 3, 6, 9}, '+'},
         {47, 1, 3, 4, {0, 3, 6, 9}},
         {65, 1, 3, 1, {0, 3, 6, 9}, 'a'},
         {67, 1, 3, 4, {0, 3, 6, 9}, '-'},
         {5, 2, 6, 2, {0, 6}},
         {35, 2, 6, 2, {0, 6}},
         {64, 2, 6, 1, {0, 6}, 'a'},
         {66, 2, 6, 2, {0, 6}, '-'},
         {0, 4, 12, 1, {0}},
         {32, 4, 12, 1, {0}}}}}};
  return all;
}

const Grid& grid_of(const CardState& card) { return grids().at(card.model); }

const Row* row_of(const CardState& card, unsigned id) {
  for (const Row& row : grid_of(card).rows) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

bool apart(unsigned start, unsigned size, unsigned other, unsigned other_size) {
  return start + size <= other || other + other_size <= start;
}

// Everything but the place.
bool countable(const CardState& card, const Row& row) {
  unsigned slices = row.slices;
  unsigned same = 0;
  for (const Gpu& gpu : card.gpus) {
    const Row& other = *row_of(card, gpu.profile);
    slices += other.slices;
    same += other.id == row.id ? 1 : 0;
    if (row.media == '+' && other.media == '+') return false;
    if (row.media == 'a' && other.media != '-') return false;
    if (other.media == 'a' && row.media != '-') return false;
  }
  const Grid& grid = grid_of(card);
  return slices <= grid.slices && same < row.most && card.gpus.size() < grid.instances;
}

bool room(const CardState& card, const Row& row, unsigned start) {
  return countable(card, row) && std::all_of(card.gpus.begin(), card.gpus.end(), [&](const Gpu& gpu) {
           return apart(start, row.size, gpu.start, gpu.size);
         });
}

unsigned capacity(CardState card, const Row& row) {
  std::vector<unsigned> starts = row.starts;
  std::sort(starts.begin(), starts.end());
  unsigned count = 0;
  for (const unsigned start : starts) {
    if (!room(card, row, start)) continue;
    card.gpus.push_back({0, row.id, start, row.size, 0, {}});
    ++count;
  }
  return count;
}

unsigned grid_size(const CardState& card) {
  unsigned size = 0;
  for (const Row& row : grid_of(card).rows) size = std::max(size, row.size);
  return size;
}

// 0 the whole, 1 and 2 halves, 3 to 6 quarters, 7 to 14 eighths.
unsigned gpu_id(const CardState& card, unsigned start, unsigned size) {
  const unsigned grid = grid_size(card);
  if (size == grid) return 0;
  if (2 * size == grid) return start == 0 ? 1 : 2;
  return (4 * size == grid ? 3 : 7) + start / size;
}

// Starts of a compute instance profile on a GPU instance of so many slices; empty if it has none.
std::vector<unsigned> compute_starts(unsigned gpu_slices, unsigned profile) {
  static const std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> all = {
      {{1, 0}, {0}},          {{2, 0}, {0, 1}},
      {{2, 1}, {0}},          {{3, 0}, {0, 1, 2}},
      {{3, 1}, {0}},          {{3, 2}, {0}},
      {{4, 0}, {0, 1, 2, 3}}, {{4, 1}, {0, 2}},
      {{4, 3}, {0}},          {{7, 0}, {0, 1, 2, 3, 4, 5, 6}},
      {{7, 1}, {0, 2, 4}},    {{7, 2}, {0, 4}},
      {{7, 4}, {0}}};
  const auto found = all.find({gpu_slices, profile});
  return found == all.end() ? std::vector<unsigned>{} : found->second;
}

unsigned compute_size(unsigned profile) { return profile == 4 ? 7 : profile + 1; }

bool compute_room(const Gpu& gpu, unsigned start, unsigned size) {
  return std::all_of(gpu.computes.begin(), gpu.computes.end(),
                     [&](const Compute& compute) { return apart(start, size, compute.start, compute.size); });
}

template <class Taken>
unsigned lowest_free(const Taken& taken) {
  unsigned number = 0;
  while (taken(number)) ++number;
  return number;
}

Answer code_only(int code) {
  Answer answer;
  answer.code = code;
  return answer;
}

template <class... Values>
Answer values(Values... numbers) {
  return {ok, {numbers...}, {}, 0};
}

bool changes(Call call) {
  return call == Call::set_mode || call == Call::create || call == Call::create_at || call == Call::destroy ||
         call == Call::create_compute || call == Call::create_compute_at || call == Call::destroy_compute;
}

}  // namespace

Model::Model(const std::vector<std::string>& models) {
  for (const std::string& model : models) {
    CardState card;
    card.model = model;
    cards.push_back(std::move(card));
  }
}

Model::Found Model::find(std::uint64_t handle) {
  if (handle == 0) return {};
  for (CardState& card : cards) {
    for (Gpu& gpu : card.gpus) {
      if (gpu.handle == handle) return {&card, &gpu, nullptr};
      for (Compute& compute : gpu.computes) {
        if (compute.handle == handle) return {&card, &gpu, &compute};
      }
    }
  }
  return {};
}

bool Model::learn(std::uint64_t& known, std::uint64_t heard) {
  if (known == 0) known = heard;
  return known == heard && heard != 0;
}

Answer Model::create(const Question& question) {
  CardState& card = cards[question.card];
  const Row* row = row_of(card, question.id);
  if (row == nullptr) return code_only(invalid);
  std::vector<unsigned> starts = row->starts;
  if (question.call == Call::create_at) {
    const bool possible =
        question.size == row->size && std::find(starts.begin(), starts.end(), question.start) != starts.end();
    if (!possible) return code_only(invalid);
    starts = {question.start};
  }
  for (const unsigned start : starts) {
    if (!room(card, *row, start)) continue;
    card.gpus.push_back({gpu_id(card, start, row->size), row->id, start, row->size, 0, {}});
    return code_only(ok);
  }
  return code_only(no_room);
}

Answer Model::create_compute(const Question& question, Gpu& gpu, CardState& card) {
  std::vector<unsigned> starts = compute_starts(row_of(card, gpu.profile)->slices, question.id);
  const unsigned size = compute_size(question.id);
  if (starts.empty()) return code_only(invalid);
  if (question.call == Call::create_compute_at) {
    if (question.size != size || std::find(starts.begin(), starts.end(), question.start) == starts.end())
      return code_only(invalid);
    starts = {question.start};
  }
  for (const unsigned start : starts) {
    if (!compute_room(gpu, start, size)) continue;
    const unsigned id = lowest_free([&](unsigned number) {
      return std::any_of(gpu.computes.begin(), gpu.computes.end(), [&](const Compute& c) { return c.id == number; });
    });
    const unsigned index = lowest_free([&](unsigned number) {
      return std::any_of(card.gpus.begin(), card.gpus.end(), [&](const Gpu& other) {
        return std::any_of(other.computes.begin(), other.computes.end(),
                           [&](const Compute& c) { return c.index == number; });
      });
    });
    gpu.computes.push_back({id, question.id, start, size, index, 0});
    return code_only(ok);
  }
  return code_only(no_room);
}

Answer Model::ask_gpu(const Question& question, Found found) {
  if (found.gpu == nullptr || found.compute != nullptr) return code_only(invalid);
  Gpu& gpu = *found.gpu;
  const auto starts = compute_starts(row_of(*found.card, gpu.profile)->slices, question.id);
  switch (question.call) {
    case Call::gpu_info:
      return values(gpu.id, gpu.profile, gpu.start, gpu.size);
    case Call::destroy:
      if (!gpu.computes.empty()) return code_only(in_use);
      std::erase_if(found.card->gpus, [&](const Gpu& other) { return &other == &gpu; });
      return code_only(ok);
    case Call::compute_by_id: {
      const bool there = std::any_of(gpu.computes.begin(), gpu.computes.end(),
                                     [&](const Compute& compute) { return compute.id == question.id; });
      return code_only(there ? ok : not_found);
    }
    case Call::compute_capacity:
      if (starts.empty()) return code_only(invalid);
      return values(static_cast<unsigned>(std::count_if(starts.begin(), starts.end(), [&](unsigned start) {
        return compute_room(gpu, start, compute_size(question.id));
      })));
    default:
      return create_compute(question, gpu, *found.card);
  }
}

Answer Model::answer_to(const Question& question) {
  CardState& card = cards[question.card];
  const Row* row = row_of(card, question.id);
  const Found found = find(question.handle);
  switch (question.call) {
    case Call::init:
      return code_only(ok);
    case Call::get_mode:
      return values(card.mode, card.pending);
    case Call::set_mode: {  // others have the library open, so nothing changes now
      card.pending = question.id;
      return values(static_cast<unsigned>(card.mode == question.id ? ok : in_use));
    }
    case Call::create:
    case Call::create_at:
      return create(question);
    case Call::gpu_by_id:
      return code_only(
          std::any_of(card.gpus.begin(), card.gpus.end(), [&](const Gpu& gpu) { return gpu.id == question.id; })
              ? ok
              : not_found);
    case Call::list:
      return code_only(row == nullptr ? invalid : ok);
    case Call::capacity:
      return row == nullptr ? code_only(invalid) : values(capacity(card, *row));
    case Call::mig_device:
      for (const Gpu& gpu : card.gpus) {
        for (const Compute& compute : gpu.computes) {
          if (compute.index == question.id) return code_only(ok);
        }
      }
      return code_only(question.id < grid_of(card).slices ? not_found : invalid);
    case Call::destroy_compute:
      if (found.compute == nullptr) return code_only(invalid);
      std::erase_if(found.gpu->computes, [&](const Compute& other) { return &other == found.compute; });
      return code_only(ok);
    case Call::compute_info:
      if (found.compute == nullptr) return code_only(invalid);
      return values(found.compute->id, found.compute->profile, found.compute->start, found.compute->size);
    default:
      return ask_gpu(question, found);
  }
}

// The handles in an answer belong to the instances that the model expects there.
bool Model::take_handles(const Question& question, const Answer& answer) {
  CardState& card = cards[question.card];
  const std::uint64_t heard = answer.handles[0];
  switch (question.call) {
    case Call::create:
    case Call::create_at:
      return learn(card.gpus.back().handle, heard);
    case Call::gpu_by_id:
      for (Gpu& gpu : card.gpus) {
        if (gpu.id == question.id) return learn(gpu.handle, heard);
      }
      return false;
    case Call::list: {
      unsigned count = 0;
      bool good = true;
      for (Gpu& gpu : card.gpus) {
        if (gpu.profile != question.id) continue;
        ++count;
        const auto* end = answer.handles + answer.handle_count;
        good = good && (gpu.handle == 0 || std::find(answer.handles, end, gpu.handle) != end);
      }
      return good && count == answer.handle_count;
    }
    case Call::create_compute:
    case Call::create_compute_at:
      return learn(find(question.handle).gpu->computes.back().handle, heard);
    case Call::compute_by_id:
      for (Compute& compute : find(question.handle).gpu->computes) {
        if (compute.id == question.id) return learn(compute.handle, heard);
      }
      return false;
    default:
      return true;
  }
}

bool Model::accept(const Question& question, const Answer* answer) {
  const Answer expected = answer_to(question);
  if (answer == nullptr) return true;
  if (expected.code != answer->code) {
    complaint = fmt::format("call {} on card {}, id {}: {}, expected {}", static_cast<int>(question.call),
                            question.card, question.id, answer->code, expected.code);
    return false;
  }
  if (expected.code != ok) return true;
  if (!std::equal(std::begin(expected.values), std::end(expected.values), std::begin(answer->values))) {
    complaint =
        fmt::format("call {} on card {}, id {}: {} {} {} {}, expected {} {} {} {}", static_cast<int>(question.call),
                    question.card, question.id, answer->values[0], answer->values[1], answer->values[2],
                    answer->values[3], expected.values[0], expected.values[1], expected.values[2], expected.values[3]);
    return false;
  }
  if (take_handles(question, *answer)) return true;
  complaint = fmt::format("call {} on card {}, id {}: another instance than expected", static_cast<int>(question.call),
                          question.card, question.id);
  return false;
}

bool Model::would_change(const Question& question) const {
  if (!changes(question.call)) return false;
  Model trial = *this;
  return trial.answer_to(question).code == ok;
}

}  // namespace carve::plain

// Orders and answers are archives, each behind its length. The child opens NVML once, and ends with the channel.
#include "driver/session.h"

#include <unistd.h>
#include <array>
#include <cerrno>
#include <map>

#include "driver/archive.h"
#include "driver/child.h"
#include "driver/driver.h"
#include "driver/nvml/reshape.h"
#include "driver/proc/proc.h"

namespace carve {

template <class Archive>
void members(Archive&, LookOrder&) {}
template <class Archive>
void members(Archive& archive, CreateOrder& v) {
  archive(v.profile, v.placement);
}
template <class Archive>
void members(Archive& archive, DestroyOrder& v) {
  archive(v.instance, v.placement);
}
template <class Archive>
void members(Archive& archive, MigOrder& v) {
  archive(v.on);
}
template <class Archive>
void members(Archive& archive, WaitingMode& v) {
  archive(v.sentence, v.in_use);
}
template <class Archive>
void members(Archive& archive, CardAnswer& v) {
  archive(v.failed, v.card, v.waiting);
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of an order or an answer

std::string framed(std::string bytes) {
  const std::uint64_t size = bytes.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + std::move(bytes);
}

// The first frame of `bytes`, taken out of it.
std::optional<std::string> take_frame(std::string& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return {};
  std::memcpy(&size, bytes.data(), sizeof size);
  if (bytes.size() - sizeof size < size) return {};
  std::string frame = bytes.substr(sizeof size, size);
  bytes.erase(0, sizeof size + size);
  return frame;
}

std::string pack(CardOrder order) {
  ArchiveWriter archive;
  auto which = static_cast<std::uint8_t>(order.act.index());
  archive(order.uuid, which);
  std::visit([&](auto& act) { archive(act); }, order.act);
  return framed(archive.take());
}

template <class Act>
void unpack_act(ArchiveReader& archive, CardOrder& order) {
  Act act;
  archive(act);
  order.act = act;
}

CardOrder unpack_order(const std::string& bytes) {
  ArchiveReader archive(bytes);
  CardOrder order;
  std::uint8_t which = 0;
  archive(order.uuid, which);
  constexpr std::array acts{unpack_act<LookOrder>, unpack_act<CreateOrder>, unpack_act<DestroyOrder>,
                            unpack_act<MigOrder>};
  if (which < acts.size()) acts[which](archive, order);
  return order;
}

std::string pack(Result<CardAnswer> answer) {
  ArchiveWriter archive;
  bool there = answer.has_value();
  archive(there);
  if (there)
    archive(*answer);
  else
    archive(answer.error());
  return framed(archive.take());
}

Result<CardAnswer> unpack_answer(const std::string& bytes) {
  ArchiveReader archive(bytes);
  bool there = false;
  CardAnswer answer;
  Error error;
  archive(there);
  if (there)
    archive(answer);
  else
    archive(error);
  if (!archive.complete())
    return fail(Error{Fault::environment, "the process that asks the driver gave half an answer", {}, "", {}});
  if (!there) return fail(std::move(error));
  return answer;
}

// ----------------------------------------------------------------------------------------------------- in the child

std::optional<std::string> next_order(int channel) {
  std::string bytes;
  std::array<char, 4096> buffer;
  for (;;) {
    if (std::optional<std::string> frame = take_frame(bytes)) return frame;
    const ssize_t got = ::read(channel, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void serve_driver(int channel, const NvmlLibrary& nvml, const std::string& root, Watch& watch) {
  while (const std::optional<std::string> order = next_order(channel)) {
    Result<CardAnswer> answer = carry_out(nvml, unpack_order(*order));
    if (answer) look_up_occupants(answer->card, root, watch);
    if (write_all(channel, pack(std::move(answer))) != 0) return;
  }
}

// Without a driver the first order is answered by why.
void serve(int channel, const ReadOptions& options, Watch& watch) {
  const auto refuse = [&](const Error& error) {
    if (next_order(channel)) (void)write_all(channel, pack(fail(error)));
  };
  const Result<NvmlLibrary> library = NvmlLibrary::load(options.library, watch);
  if (!library) return refuse(library.error());
  const Result<NvmlSession> session = NvmlSession::open(*library);
  if (!session) return refuse(session.error());
  serve_driver(channel, *library, options.root, watch);
}

}  // namespace

struct CardSession::State {
  ChildProcess child;
  std::string heard = {};
  std::chrono::milliseconds limit{0};
  Clock::time_point end = {};
};

CardSession::CardSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
CardSession::CardSession(CardSession&&) noexcept = default;
CardSession::~CardSession() = default;

Result<CardSession> CardSession::open(const ReadOptions& options) {
  TRY(ChildProcess child, ChildProcess::start([&](int channel, Watch& watch) { serve(channel, options, watch); }));
  return CardSession(std::unique_ptr<State>(new State{std::move(child)}));
}

int CardSession::descriptor() const { return state_->child.channel(); }

std::chrono::steady_clock::time_point CardSession::due() const { return state_->end; }

Result<void> CardSession::order(const CardOrder& order, std::chrono::milliseconds limit) {
  state_->limit = limit;
  state_->end = Clock::now() + limit;
  if (write_all(descriptor(), pack(order)) != 0) {
    if (std::optional<Error> error = state_->child.judge(ChildProcess::End::closed, limit))
      return fail(std::move(*error));
    return fail(Error{Fault::environment, "the process that asks the driver has ended", {}, "", {}});
  }
  return {};
}

Result<CardAnswer> CardSession::answer() {
  for (;;) {
    if (const std::optional<std::string> frame = take_frame(state_->heard)) return unpack_answer(*frame);
    const ChildProcess::Heard heard = state_->child.hear(state_->end, state_->heard);
    const bool too_long = state_->heard.size() > most_bytes;
    if (heard.more && !too_long) continue;
    if (std::optional<Error> error = state_->child.judge(heard.end, state_->limit)) return fail(std::move(*error));
    return fail(Error{Fault::environment, "the process that asks the driver ended without an answer", {}, "", {}});
  }
}

}  // namespace carve

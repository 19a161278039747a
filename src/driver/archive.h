// Values as bytes and back, for the way from the reading process to its parent: one function names the members of each
// type, and serves both directions. Both ends are the same program at the same moment, so there is no version; but the
// writer may die in the middle, so a reader trusts no length.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "machine/machine.h"

namespace carve {

template <class T>
concept PlainBytes = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(T&... members) {
    (put(members), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <PlainBytes T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(std::vector<T>& list) {
    put(list.size());
    for (T& item : list) put(item);
  }
  template <class T>
  void put(std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(Reading<T>& reading) {
    put(reading.has_value());
    if (reading) return put(*reading);
    (*this)(reading.error().why, reading.error().sentence);
  }
  template <class T>
  requires(!PlainBytes<T>) void put(T& value) { members(*this, value); }

  std::string bytes_;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : left_(bytes) {}
  template <class... T>
  void operator()(T&... members) {
    (get(members), ...);
  }
  // Everything was there, and nothing is left over.
  bool complete() const { return whole_ && left_.empty(); }

 private:
  template <PlainBytes T>
  void get(T& value) {
    if (left_.size() < sizeof value) return fail_short();
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
  }
  // A byte that is neither would be no value of the type.
  void get(bool& value) {
    std::uint8_t byte = 0;
    get(byte);
    if (byte > 1) return fail_short();
    value = byte == 1;
  }
  // Nothing is shorter than one byte, so no list has more items than there are bytes.
  std::size_t get_length() {
    std::size_t length = 0;
    get(length);
    if (length <= left_.size()) return length;
    fail_short();
    return 0;
  }
  void get(std::string& text) {
    const std::size_t length = get_length();
    text.assign(left_.substr(0, length));
    left_.remove_prefix(length);
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.clear();
    for (std::size_t left = get_length(); left > 0 && whole_; --left) get(list.emplace_back());
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    if (there) get(value.emplace());
  }
  template <class T>
  void get(Reading<T>& reading) {
    bool there = false;
    get(there);
    if (there) {
      T value{};
      get(value);
      reading = Reading<T>(std::move(value));
    } else {
      Missing missing;
      (*this)(missing.why, missing.sentence);
      reading = tl::unexpected<Missing>(std::move(missing));
    }
  }
  template <class T>
  requires(!PlainBytes<T>) void get(T& value) { members(*this, value); }
  void fail_short() {
    whole_ = false;
    left_ = {};
  }

  std::string_view left_;
  bool whole_ = true;
};

// ---------------------------------------------------------------------------------------------------------- members

template <class Archive, class Unit>
void members(Archive& archive, Quantity<Unit>& v) {
  archive(v.value);
}
template <class Archive>
void members(Archive& archive, GpuInstanceId& v) {
  archive(v.value);
}
template <class Archive>
void members(Archive& archive, ComputeInstanceId& v) {
  archive(v.value);
}
template <class Archive>
void members(Archive& archive, Placement& v) {
  archive(v.start, v.size);
}
template <class Archive>
void members(Archive& archive, PciAddress& v) {
  archive(v.bus_id, v.device_id);
}
template <class Archive>
void members(Archive& archive, MigModes& v) {
  archive(v.current, v.pending);
}
template <class Archive>
void members(Archive& archive, MemoryUse& v) {
  archive(v.total, v.used, v.reserved);
}
template <class Archive>
void members(Archive& archive, LiveProfile& v) {
  archive(v.name, v.id, v.nvml_enum, v.compute_slices, v.max_instances, v.sms, v.memory, v.placements);
}
template <class Archive>
void members(Archive& archive, LiveComputeInstance& v) {
  archive(v.id, v.compute_slices, v.start, v.uuid);
}
template <class Archive>
void members(Archive& archive, LiveGpuInstance& v) {
  archive(v.id, v.profile, v.compute_slices, v.placement, v.memory, v.compute);
}
template <class Archive>
void members(Archive& archive, ProcessFacts& v) {
  archive(v.user, v.command, v.cgroup, v.started, v.group, v.ancestors);
}
template <class Archive>
void members(Archive& archive, Occupant& v) {
  archive(v.pid, v.compute, v.graphics, v.mps, v.memory, v.gpu_instance, v.compute_instance, v.process);
}
template <class Archive>
void members(Archive& archive, Untold& v) {
  archive(v.figure, v.missing.why, v.missing.sentence);
}
template <class Archive>
void members(Archive& archive, ProcessUse& v) {
  archive(v.pid, v.mean, v.peak);
}
template <class Archive>
void members(Archive& archive, InstanceUse& v) {
  archive(v.id, v.sm);
}
template <class Archive>
void members(Archive& archive, CardUse& v) {
  archive(v.sm, v.processes, v.instances);
}
template <class Archive>
void members(Archive& archive, LiveCard& v) {
  archive(v.index, v.lost, v.uuid, v.name, v.pci, v.minor, v.memory, v.mig, v.compute_mode, v.profiles, v.instances,
          v.occupants, v.untold, v.use);
}
template <class Archive>
void members(Archive& archive, Machine& v) {
  archive(v.driver, v.library, v.cards);
}
// Of errors that have no place in a file.
template <class Archive>
void members(Archive& archive, Error& v) {
  archive(v.fault, v.message, v.help);
}

}  // namespace carve

// What there is: devices, profiles, places, instances, processes.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "simgpu/smi/smi.h"

namespace carve::sim {

namespace {

bool mig_on(const Nvml& nvml, Device device) {
  unsigned current = 0;
  unsigned pending = 0;
  return nvml.call("nvmlDeviceGetMigMode", device, &current, &pending) == success && current == mig_enabled;
}

void list_mig_devices(const Nvml& nvml, Device card) {
  unsigned count = 0;
  nvml.call("nvmlDeviceGetMaxMigDeviceCount", card, &count);
  for (unsigned index = 0; index < count; ++index) {
    Device mig = nullptr;
    if (nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", card, index, &mig) != success) continue;
    const std::string name = text_of(nvml, "nvmlDeviceGetName", mig);
    const std::size_t shape = name.rfind("MIG ");
    const std::string profile = shape == std::string::npos ? name : name.substr(shape + 4);
    std::printf("  MIG %-15s Device %2u: (UUID: %s)\n", profile.c_str(), index,
                text_of(nvml, "nvmlDeviceGetUUID", mig).c_str());
  }
}

void print_profile(const Nvml& nvml, const Chosen& card, const GpuProfileInfoV2& profile) {
  unsigned left = 0;
  nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card.device, profile.id, &left);
  char line[512];  // the longest that these figures and a name of 95 bytes can make
  std::snprintf(line, sizeof line, "%3u  %-18s%3u     %u/%-6u %6.2f      %-3s  %4u  %4u  %4u", card.index, profile.name,
                profile.id, left, profile.instances, static_cast<double>(profile.memory_mib) / 1024,
                profile.p2p != 0 ? "Yes" : "No", profile.multiprocessors, profile.decoders, profile.encoders);
  std::printf("| %-79s|\n", line);
  std::snprintf(line, sizeof line, "%58s%4u  %4u  %4u", "", profile.copy_engines, profile.jpeg_engines,
                profile.ofa_engines);
  std::printf("| %-79s|\n", line);
}

void print_line(char letter, int width) {
  std::printf("%c", letter == '=' ? '|' : '+');
  for (int i = 0; i < width; ++i) std::printf("%c", letter);
  std::printf("%c\n", letter == '=' ? '|' : '+');
}

int nothing_found(const char* what) {
  std::printf("No %s found: Not Found\n", what);
  return not_found;
}

// An unprivileged caller is told so, and not that there is nothing.
Return may_list(const Request& request) {
  for (const Chosen& card : request.cards) {
    unsigned count = 0;
    if (!mig_on(*request.nvml, card.device)) continue;
    for (const GpuProfileInfoV2& profile : gpu_profiles(*request.nvml, card.device)) {
      const Return asked =
          request.nvml->call("nvmlDeviceGetGpuInstanceRemainingCapacity", card.device, profile.id, &count);
      if (asked == no_permission) return asked;
    }
  }
  return success;
}

int refused(const Request& request, Return code) {
  std::printf("Unable to list instances: %s\n", request.nvml->text(code));
  return exit_code(code);
}

}  // namespace

int list_devices(const Request& request) {
  const Nvml& nvml = *request.nvml;
  for (const Chosen& card : request.cards) {
    std::printf("GPU %u: %s (UUID: %s)\n", card.index, text_of(nvml, "nvmlDeviceGetName", card.device).c_str(),
                text_of(nvml, "nvmlDeviceGetUUID", card.device).c_str());
    list_mig_devices(nvml, card.device);
  }
  return success;
}

int list_profiles(const Request& request) {
  print_line('-', 80);
  std::printf("| %-79s|\n", "GPU instance profiles:");
  std::printf("| %-79s|\n", "GPU   Name              ID   Instances   Memory      P2P     SM   DEC   ENC");
  std::printf("| %-79s|\n", "                             Free/Total   GiB                CE  JPEG   OFA");
  print_line('=', 80);
  int count = 0;
  for (const Chosen& card : request.cards) {
    if (!mig_on(*request.nvml, card.device)) continue;
    for (const GpuProfileInfoV2& profile : gpu_profiles(*request.nvml, card.device)) {
      print_profile(*request.nvml, card, profile);
      print_line('-', 80);
      ++count;
    }
  }
  return count == 0 ? nothing_found("MIG-enabled devices") : success;
}

int list_placements(const Request& request) {
  int count = 0;
  for (const Chosen& card : request.cards) {
    if (!mig_on(*request.nvml, card.device)) continue;
    for (const GpuProfileInfoV2& profile : gpu_profiles(*request.nvml, card.device)) {
      unsigned places = 0;
      Placement* none = nullptr;
      const char* name = "nvmlDeviceGetGpuInstancePossiblePlacements_v2";
      if (request.nvml->call(name, card.device, profile.id, none, &places) != success || places == 0) continue;
      std::vector<Placement> rows(places);
      if (request.nvml->call(name, card.device, profile.id, rows.data(), &places) != success) continue;
      std::string starts;
      for (const Placement& place : rows) starts += (starts.empty() ? "" : ",") + std::to_string(place.start);
      std::printf("GPU %2u Profile ID %2u Placement%s: {%s}:%u\n", card.index, profile.id, places > 1 ? "s" : "",
                  starts.c_str(), rows[0].size);
      ++count;
    }
  }
  return count == 0 ? nothing_found("MIG-enabled devices") : success;
}

int list_gpu_instances(const Request& request) {
  if (const Return allowed = may_list(request); allowed != success) return refused(request, allowed);
  int count = 0;
  for (const Chosen& card : request.cards) {
    for (const GpuRow& row : gpu_instances(*request.nvml, card.device)) {
      if (count++ == 0) {
        print_line('-', 57);
        std::printf("| GPU instances:                                          |\n");
        std::printf("| GPU   Name               Profile  Instance   Placement  |\n");
        std::printf("|                            ID       ID       Start:Size |\n");
        print_line('=', 57);
      }
      std::printf("| %3u  %-18s %6u   %6u        %2u:%-2u    |\n", card.index, row.profile_name.c_str(),
                  row.info.profile_id, row.info.id, row.info.placement.start, row.info.placement.size);
      print_line('-', 57);
    }
  }
  return count == 0 ? nothing_found("GPU instances") : success;
}

int list_compute_instances(const Request& request) {
  if (const Return allowed = may_list(request); allowed != success) return refused(request, allowed);
  int count = 0;
  for (const Chosen& card : request.cards) {
    for (const GpuRow& gpu : gpu_instances(*request.nvml, card.device)) {
      for (const ComputeRow& row : compute_instances(*request.nvml, gpu)) {
        if (count++ == 0) {
          print_line('-', 70);
          std::printf("| %-69s|\n", "Compute instances:");
          std::printf("| %-69s|\n", "GPU     GPU       Name               Profile   Instance   Placement");
          std::printf("| %-69s|\n", "      Instance                         ID         ID      Start:Size");
          print_line('=', 70);
        }
        std::printf("| %3u   %5u      %-19s %6u   %6u        %2u:%-2u    |\n", card.index, gpu.info.id,
                    row.profile_name.c_str(), row.info.profile_id, row.info.id, row.info.placement.start,
                    row.info.placement.size);
        print_line('-', 70);
      }
    }
  }
  return count == 0 ? nothing_found("compute instances") : success;
}

namespace {

struct App {
  const Nvml& nvml;
  const Chosen& card;
  const ProcessInfo& process;
  bool units;
};

std::string process_name(std::uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  return std::getline(file, name) ? name : "[Not Found]";
}

struct AppField {
  const char* name;
  const char* title;
  std::string (*value)(const App&);
};
const AppField app_fields[] = {
    {"pid", "pid", [](const App& app) { return std::to_string(app.process.pid); }},
    {"process_name", "process_name", [](const App& app) { return process_name(app.process.pid); }},
    {"used_memory", "used_gpu_memory [MiB]",
     [](const App& app) { return std::to_string(app.process.used_memory >> 20) + (app.units ? " MiB" : ""); }},
    {"used_gpu_memory", "used_gpu_memory [MiB]",
     [](const App& app) { return std::to_string(app.process.used_memory >> 20) + (app.units ? " MiB" : ""); }},
    {"gpu_uuid", "gpu_uuid", [](const App& app) { return text_of(app.nvml, "nvmlDeviceGetUUID", app.card.device); }},
    {"gpu_name", "gpu_name", [](const App& app) { return text_of(app.nvml, "nvmlDeviceGetName", app.card.device); }},
    {"gpu_bus_id", "gpu_bus_id", [](const App& app) { return bus_id_of(app.nvml, app.card.device); }},
};

const AppField* find_field(const std::string& name) {
  for (const AppField& field : app_fields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

std::vector<ProcessInfo> processes_of(const Nvml& nvml, Device device, Return& code) {
  std::vector<ProcessInfo> rows;
  for (unsigned count = 0;; rows.resize(count)) {
    count = static_cast<unsigned>(rows.size());
    code = nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, rows.data());
    if (code == insufficient_size) continue;
    rows.resize(code == success ? count : 0);
    return rows;
  }
}

}  // namespace

int query_compute_apps(const Request& request) {
  std::string titles;
  for (const std::string& name : request.fields) {
    const AppField* field = find_field(name);
    if (field == nullptr) {
      std::printf("Field \"%s\" is not a valid field to query.\n", name.c_str());
      return invalid_argument;
    }
    titles += (titles.empty() ? "" : ", ") + std::string(field->title);
  }
  if (request.header) std::printf("%s\n", titles.c_str());
  for (const Chosen& card : request.cards) {
    Return code = success;
    for (const ProcessInfo& process : processes_of(*request.nvml, card.device, code)) {
      std::string line;
      for (const std::string& name : request.fields)
        line += (line.empty() ? "" : ", ") + find_field(name)->value({*request.nvml, card, process, request.units});
      std::printf("%s\n", line.c_str());
    }
    if (code != success) {
      std::printf("Unable to list processes of GPU %s: %s\n", bus_id_of(*request.nvml, card.device).c_str(),
                  request.nvml->text(code));
      return exit_code(code);
    }
  }
  return success;
}

}  // namespace carve::sim

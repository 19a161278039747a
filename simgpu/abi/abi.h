// abi: the binary interface of NVML, declared by us from public facts: numbers, structs, and the table of exported
// functions with the driver that brought each.
#pragma once

#include "simgpu/abi/codes.h"      // return codes, enumerations
#include "simgpu/abi/functions.h"  // what the library exports, and since when
#include "simgpu/abi/structs.h"    // structs and handles

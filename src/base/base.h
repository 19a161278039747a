// base: what every room stands on. Knows nothing of cards.
#pragma once

#include "base/descriptor.h"  // open descriptors: owned, written to as a whole
#include "base/file.h"        // whole files: read with a limit, replace atomically
#include "base/nearest.h"     // "did you mean"
#include "base/random.h"      // reproducible random numbers
#include "base/result.h"      // Result<T>, Error, Place, TRY
#include "base/units.h"       // Mib, Permille, Micros, MilliPerSecond and how they are written

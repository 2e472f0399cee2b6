#ifndef AUTOTUNE_TOOLS_MEASURE_MEASURE_SEAMS_H_
#define AUTOTUNE_TOOLS_MEASURE_MEASURE_SEAMS_H_

#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {

// What measuring needs of the world.
struct MeasureSeams {
  ProcessRunner& processes;
  FileSystem& files;
  Clock& clock;
  Entropy& entropy;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_MEASURE_SEAMS_H_

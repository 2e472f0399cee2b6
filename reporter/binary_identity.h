#ifndef AUTOTUNE_REPORTER_BINARY_IDENTITY_H_
#define AUTOTUNE_REPORTER_BINARY_IDENTITY_H_

#include <string>
#include <vector>

namespace autotune::internal {

// One file mapped as code into this process.
struct LoadedObject {
  std::string path;      // empty when the system does not say
  std::string build_id;  // lower-case hex; empty when it was linked without one
};

// The program first, then its shared libraries in load order, by their link
// names. The build id is what the linker derived from the contents
// (--build-id), so equal ids are equal builds. Empty where objects cannot be
// listed.
std::vector<LoadedObject> LoadedObjects();

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_BINARY_IDENTITY_H_

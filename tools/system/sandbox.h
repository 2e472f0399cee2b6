#ifndef AUTOTUNE_TOOLS_SYSTEM_SANDBOX_H_
#define AUTOTUNE_TOOLS_SYSTEM_SANDBOX_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// A file or folder as a process in a sandbox sees it.
struct SandboxMount {
  std::string outside;  // absolute
  std::string inside;   // absolute
  bool writable = false;
};

// A symbolic link that a process in a sandbox finds.
struct SandboxLink {
  std::string inside;  // absolute
  std::string target;
};

// What a process sees of the machine: these places and nothing else of its
// files. It has a process table, shared memory, /tmp and HOME (/home) of its
// own and no network but the loopback device, and cannot gain rights. The
// kernel's user namespaces make it (user_namespaces(7)); no other program takes
// part, so that a process is stopped, continued, pinned and accounted for as
// outside.
struct Sandbox {
  std::vector<SandboxMount> mounts;
  std::vector<SandboxLink> links;
  std::vector<std::string> hidden;  // empty folders inside, whatever is there
};

// The system's folders (/usr, /etc, /opt, ...), read-only, and the folders and
// files of `readable` that exist, at their places. Nothing of it shows a place
// of `hidden` or what lies below; a readable place above a hidden one shows the
// rest of itself.
Sandbox SystemSandbox(const std::vector<std::string>& readable,
                      const std::vector<std::string>& hidden);

// Makes the environment of a process that of one inside: HOME is its own, PATH
// keeps the folders that can be seen, and variables that name places or us
// (TMPDIR, PWD, XDG_*, CCACHE_DIR, AUTOTUNE_*) are gone.
void AdaptEnvironment(const Sandbox& sandbox,
                      std::map<std::string, std::string>& environment);

// Where `path` is seen inside; itself when no mount shows it. The last mount
// counts.
std::string InsidePath(const Sandbox& sandbox, std::string_view path);

// Where the path `inside` lies in truth; itself when no mount shows it.
std::string OutsidePath(const Sandbox& sandbox, std::string_view inside);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_SANDBOX_H_

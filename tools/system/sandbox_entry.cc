#include "tools/system/sandbox_entry.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"

namespace autotune {
namespace {

// The new root, until it is one: a folder that every machine has.
constexpr char kBase[] = "/tmp";
constexpr char kOldBelowBase[] = "/tmp/.old";
constexpr char kOld[] = "/.old";
// Whoever is root outside is an ordinary user inside: from such a one the
// kernel takes all rights when a program is executed.
constexpr unsigned kOrdinaryUser = 1000;
// Looks for processes that are slow to die, 0.5 ms apart; whatever is left then
// dies with the keeper.
constexpr int kMostLooks = 10'000;
constexpr const char* kDevices[] = {"null", "zero", "full", "random",
                                    "urandom"};
constexpr const char* kOwnFolders[] = {"/dev", "/dev/shm", "/home", "/proc",
                                       "/run", "/tmp",     "/var"};

std::string IdMap(unsigned id) {
  return absl::StrCat(id == 0 ? kOrdinaryUser : id, " ", id, " 1");
}

bool WriteText(const char* path, std::string_view text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t written = write(file, text.data(), text.size());
  const int error = errno;
  close(file);
  errno = error;
  return written == static_cast<ssize_t>(text.size());
}

bool MakeFolder(const char* path) {
  return mkdir(path, 0755) == 0 || errno == EEXIST;
}

bool MakeFile(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  return file >= 0 && close(file) == 0;
}

bool MakeReadOnly(const char* path) {
  mount_attr wanted = {};
  wanted.attr_set = MOUNT_ATTR_RDONLY;
  return syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &wanted,
                 sizeof wanted) == 0;
}

bool Bind(const char* from, const char* to) {
  return mount(from, to, nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

// The loopback device of the new network, for programs that talk to
// themselves. Without it there is no network at all, which is no error.
void StartLoopback() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return;
  ifreq device = {};
  device.ifr_name[0] = 'l';
  device.ifr_name[1] = 'o';
  device.ifr_flags = IFF_UP;
  ioctl(any, SIOCSIFFLAGS, &device);
  close(any);
}

// All folders above `path`, the topmost first.
std::vector<std::string> Above(const std::string& path) {
  std::vector<std::string> folders;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    folders.push_back(path.substr(0, slash));
  }
  return folders;
}

bool IsFolder(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

SandboxEntry::SandboxEntry(const Sandbox& sandbox)
    : uid_map_(IdMap(geteuid())),
      gid_map_(IdMap(getegid())),
      folders_(std::begin(kOwnFolders), std::end(kOwnFolders)),
      links_(sandbox.links),
      hidden_(sandbox.hidden) {
  for (const char* device : kDevices) {
    const std::string path = absl::StrCat("/dev/", device);
    places_.push_back({kOld + path, path, false, true});
  }
  for (const SandboxMount& mount : sandbox.mounts) {
    for (std::string& folder : Above(mount.inside)) {
      folders_.push_back(std::move(folder));
    }
    places_.push_back({kOld + mount.outside, mount.inside,
                       IsFolder(mount.outside), mount.writable});
  }
  links_.push_back({"/dev/fd", "/proc/self/fd"});
  links_.push_back({"/dev/stdin", "fd/0"});
  links_.push_back({"/dev/stdout", "fd/1"});
  links_.push_back({"/dev/stderr", "fd/2"});
  links_.push_back({"/var/tmp", "/tmp"});
}

bool SandboxEntry::MakeNamespaces() const {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
              CLONE_NEWIPC) != 0 ||
      !WriteText("/proc/self/setgroups", "deny") ||
      !WriteText("/proc/self/uid_map", uid_map_) ||
      !WriteText("/proc/self/gid_map", gid_map_)) {
    return false;
  }
  StartLoopback();
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", kBase, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") ==
             0 &&
         MakeFolder(kOldBelowBase) &&
         syscall(SYS_pivot_root, kBase, kOldBelowBase) == 0 &&
         chdir("/") == 0 && LayOut();
}

bool SandboxEntry::LayOut() const {
  for (const std::string& folder : folders_) {
    if (!MakeFolder(folder.c_str())) return false;
  }
  if (chmod("/tmp", 01777) != 0 || chmod("/dev/shm", 01777) != 0) return false;
  for (const Place& place : places_) {
    const char* const to = place.to.c_str();
    if (!(place.folder ? MakeFolder(to) : MakeFile(to)) ||
        !Bind(place.from.c_str(), to) ||
        !(place.writable || MakeReadOnly(to))) {
      return false;
    }
  }
  for (const SandboxLink& link : links_) {
    if (symlink(link.target.c_str(), link.inside.c_str()) != 0 &&
        errno != EEXIST) {
      return false;
    }
  }
  for (const std::string& path : hidden_) {
    if (mount("tmpfs", path.c_str(), "tmpfs", MS_RDONLY, "mode=755") != 0) {
      return false;
    }
  }
  return true;
}

// The old root goes last: where none of its own is seen, the kernel lets nobody
// mount a process table.
bool SandboxEntry::FinishInside() const {
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
               nullptr) == 0 &&
         umount2(kOld, MNT_DETACH) == 0 && rmdir(kOld) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

pid_t ForkSibling() {
  return static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr,
                                    nullptr, nullptr, nullptr));
}

pid_t ForkHere() {
  return static_cast<pid_t>(
      syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

void KeepSandbox() {
  // The processes beside it may neither look into it nor find our files open.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  syscall(SYS_close_range, 0U, ~0U, 0U);
  sigset_t order;
  sigemptyset(&order);
  sigaddset(&order, kEndKeeper);
  siginfo_t info = {};
  // Who is outside has no number in here; nobody inside gives orders.
  while (sigwaitinfo(&order, &info) != kEndKeeper || info.si_pid != 0) {
  }
  // Were it simply killed, the kernel would not add up what the others used.
  for (int look = 0; look < kMostLooks; ++look) {
    kill(-1, SIGKILL);
    pid_t ended = 0;
    do {
      ended = waitpid(-1, nullptr, WNOHANG | __WALL);
    } while (ended > 0);
    if (ended < 0) break;
    const timespec pause = {0, 500'000};
    nanosleep(&pause, nullptr);
  }
  _exit(0);
}

}  // namespace autotune

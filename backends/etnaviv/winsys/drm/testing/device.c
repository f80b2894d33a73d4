// A stand-in for the kernel's device, preloaded into a program: calls on /dev/dri/renderD* go to a socket, all others to the C library.
//
// One descriptor is one connection. A request is {operation, bytes} and its payload; an answer {errno, bytes} and its payload. The
// structs are written down here once more, apart from the table under test.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define NODES "/dev/dri"
#define MAX_DESCRIPTORS 1024
#define MAX_ANSWER 4096

enum { OPERATION_OPEN = 1, OPERATION_REQUEST = 2 };
enum { VERSION = 0x00, PRIME_EXPORT = 0x2d, PRIME_IMPORT = 0x2e, SUBMIT = 0x46 };

struct head { uint32_t what, bytes; };
struct version { int32_t numbers[3]; size_t name_bytes; char *name; size_t date_bytes; char *date; size_t text_bytes; char *text; };
struct prime { uint32_t handle, flags; int32_t fd; };
struct submit {
  uint32_t fence, pipe, state, bo_count, reloc_count, stream_bytes;
  uint64_t bos, relocs, stream;
  uint32_t flags; int32_t fence_fd;
  uint64_t pmrs; uint32_t pmr_count, pad;
};
enum { BO_BYTES = 16, RELOC_BYTES = 24 };

static unsigned char is_device[MAX_DESCRIPTORS];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *folder(void) {
  const char *text = getenv("INDIUM_STANDIN");
  return text ? text : "/nonexistent";
}

static int ours(int fd) { return fd >= 0 && fd < MAX_DESCRIPTORS && is_device[fd]; }

static int send_all(int fd, const void *data, size_t bytes) {
  for (const char *at = data; bytes > 0;) {
    ssize_t sent = send(fd, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    at += sent, bytes -= sent;
  }
  return 0;
}

static int receive_all(int fd, void *data, size_t bytes) {
  for (char *at = data; bytes > 0;) {
    ssize_t got = recv(fd, at, bytes, 0);
    if (got <= 0) return -1;
    at += got, bytes -= got;
  }
  return 0;
}

/* Waits for the answer: 0 or an errno; its payload in `answer`. */
static int answered(int fd, char *answer, uint32_t *bytes) {
  struct head head;
  if (receive_all(fd, &head, sizeof head) || head.bytes > MAX_ANSWER || receive_all(fd, answer, head.bytes)) return EIO;
  *bytes = head.bytes;
  return head.what;
}

static int open_device(const char *path) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder());
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || fd >= MAX_DESCRIPTORS) return -1;
  struct head head = { OPERATION_OPEN, strlen(path) };
  char answer[MAX_ANSWER];
  uint32_t bytes;
  int error = ENXIO;
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && !send_all(fd, &head, sizeof head) &&
      !send_all(fd, path, head.bytes))
    error = answered(fd, answer, &bytes);
  if (error) {
    REAL(close)(fd);
    errno = error;
    return -1;
  }
  is_device[fd] = 1;
  return fd;
}

static int is_node(const char *path) { return path && strncmp(path, NODES "/renderD", strlen(NODES "/renderD")) == 0; }

#define OPEN(name)                                          \
  int name(const char *path, int flags, ...) {              \
    va_list list;                                           \
    va_start(list, flags);                                  \
    int mode = va_arg(list, int);                           \
    va_end(list);                                           \
    if (is_node(path)) return open_device(path);            \
    return REAL(name)(path, flags, mode);                   \
  }
OPEN(open)
OPEN(open64)

int openat(int at, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = va_arg(list, int);
  va_end(list);
  if (is_node(path)) return open_device(path);
  return REAL(openat)(at, path, flags, mode);
}

int close(int fd) {
  if (ours(fd)) is_device[fd] = 0;
  return REAL(close)(fd);
}

#define SCANDIR(name, entry)                                                                                       \
  int name(const char *path, struct entry ***list, int (*filter)(const struct entry *),                            \
           int (*compare)(const struct entry **, const struct entry **)) {                                         \
    char nodes[512];                                                                                               \
    snprintf(nodes, sizeof nodes, "%s/dri", folder());                                                             \
    return REAL(name)(strcmp(path, NODES) == 0 ? nodes : path, list, filter, compare);                             \
  }
SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

static int open_buffer(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  return REAL(open)(path, O_RDWR | O_CLOEXEC, 0);
}

#define MMAP(name, offset_type)                                                                   \
  void *name(void *address, size_t bytes, int protection, int flags, int fd, offset_type offset) { \
    if (!ours(fd)) return REAL(name)(address, bytes, protection, flags, fd, offset);              \
    char buffer[64];                                                                              \
    snprintf(buffer, sizeof buffer, "bo-%llx", (unsigned long long)offset);                       \
    int file = open_buffer(buffer);                                                               \
    if (file < 0) return errno = EINVAL, MAP_FAILED;                                              \
    void *mapped = REAL(name)(address, bytes, protection, flags, file, 0);                        \
    REAL(close)(file);                                                                            \
    return mapped;                                                                                \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

static int request(int fd, unsigned long number, void *argument) {
  uint32_t bytes = (number >> 16) & 0x3fff;
  unsigned int which = number & 0xff;
  const void *parts[4] = { argument };
  uint32_t sizes[4] = { bytes };
  struct stat status;
  uint64_t inode;
  if (which == SUBMIT) {
    const struct submit *submit = argument;
    parts[1] = (void *)(uintptr_t)submit->bos, sizes[1] = submit->bo_count * BO_BYTES;
    parts[2] = (void *)(uintptr_t)submit->relocs, sizes[2] = submit->reloc_count * RELOC_BYTES;
    parts[3] = (void *)(uintptr_t)submit->stream, sizes[3] = submit->stream_bytes;
  } else if (which == PRIME_IMPORT) {
    if (fstat(((struct prime *)argument)->fd, &status)) return EBADF;
    inode = status.st_ino;
    parts[1] = &inode, sizes[1] = sizeof inode;
  }
  uint32_t number32 = number;
  struct head head = { OPERATION_REQUEST, sizeof number32 + sizes[0] + sizes[1] + sizes[2] + sizes[3] };
  if (send_all(fd, &head, sizeof head) || send_all(fd, &number32, sizeof number32)) return EIO;
  for (int part = 0; part < 4; part++)
    if (send_all(fd, parts[part], sizes[part])) return EIO;
  char answer[MAX_ANSWER + 1];
  uint32_t got = 0;
  int error = answered(fd, answer, &got);
  if (error) return error;
  if (which == VERSION) {
    struct version *version = argument;
    memcpy(version->name, answer, got < version->name_bytes ? got : version->name_bytes);
    version->name_bytes = got;
    return 0;
  }
  if (which == PRIME_EXPORT) {
    answer[got] = 0;
    ((struct prime *)argument)->fd = open_buffer(answer);
    return ((struct prime *)argument)->fd < 0 ? errno : 0;
  }
  memcpy(argument, answer, got < bytes ? got : bytes);
  return 0;
}

int ioctl(int fd, unsigned long number, ...) {
  va_list list;
  va_start(list, number);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (!ours(fd)) return REAL(ioctl)(fd, number, argument);
  int error = request(fd, number, argument);
  if (!error) return 0;
  errno = error;
  return -1;
}

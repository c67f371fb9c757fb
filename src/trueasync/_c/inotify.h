/* inotify, and the same names where there is none: there every call fails with ENOSYS. */
#ifndef TRUEASYNC_INOTIFY_H
#define TRUEASYNC_INOTIFY_H

#ifdef __linux__
#include <sys/inotify.h>
#else
#include <errno.h>
#include <stdint.h>

struct inotify_event {
    int wd;
    uint32_t mask, cookie, len;
    char name[];
};

enum {
    IN_MODIFY = 0x2, IN_ATTRIB = 0x4, IN_MOVED_FROM = 0x40, IN_MOVED_TO = 0x80,
    IN_CREATE = 0x100, IN_DELETE = 0x200, IN_DELETE_SELF = 0x400, IN_MOVE_SELF = 0x800,
    IN_UNMOUNT = 0x2000, IN_Q_OVERFLOW = 0x4000, IN_IGNORED = 0x8000,
    IN_ONLYDIR = 0x1000000, IN_DONT_FOLLOW = 0x2000000, IN_EXCL_UNLINK = 0x4000000,
    IN_MASK_ADD = 0x20000000,
    IN_ISDIR = 0x40000000, IN_NONBLOCK = 0, IN_CLOEXEC = 0
};

static int inotify_init1(int flags) { (void)flags; errno = ENOSYS; return -1; }
static int inotify_add_watch(int fd, const char *path, uint32_t mask)
{ (void)fd; (void)path; (void)mask; errno = ENOSYS; return -1; }
static int inotify_rm_watch(int fd, int wd) { (void)fd; (void)wd; errno = ENOSYS; return -1; }
#endif

#endif

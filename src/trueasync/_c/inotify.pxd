# Only reactor/inotify.py may cimport this file.
from libc.stdint cimport uint32_t

cdef extern from "inotify.h" nogil:
    struct inotify_event:
        int wd
        uint32_t mask
        uint32_t cookie
        uint32_t len
        char name[]

    int IN_NONBLOCK, IN_CLOEXEC
    uint32_t IN_MODIFY, IN_ATTRIB, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO
    uint32_t IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT, IN_Q_OVERFLOW, IN_IGNORED
    uint32_t IN_ISDIR, IN_ONLYDIR, IN_DONT_FOLLOW, IN_EXCL_UNLINK, IN_MASK_ADD

    int inotify_init1(int flags)
    int inotify_add_watch(int fd, const char* path, uint32_t mask)
    int inotify_rm_watch(int fd, int wd)

# Compiled for speed; nothing here is for other compiled modules.
cdef int wait_for_child(object pid, object options) except -1
cdef int wait_for_end(object pid) except -1
cdef int wait_for_change(object idtype, object number, object options) except -1

# Compiled for speed; nothing here is for other compiled modules.
cdef int wait_for(object seconds) except -1

# Compiled for speed; nothing here is for other compiled modules.
cdef int wait_for_end(object popen, object timeout) except -1
cdef object select_within(object selector, object timeout)
cdef list events_of(object selector)

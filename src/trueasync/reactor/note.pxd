ctypedef int (*Tell)(void* owner, int status, int events) except -1

cdef struct Note:
    Note* following
    NoteQueue* queue            # that of its reactor
    Tell tell
    void* owner                 # for tell(); borrowed, NULL once that has gone
    int status                  # what libuv reported: 0, or an error
    int events                  # or'ed, where it reported several times
    bint queued

cdef struct NoteQueue:
    Note* first
    Note* last

cdef void note_down(Note* note, int status, int events) noexcept nogil
cdef int tell_owners(NoteQueue* queue, list errors) except -1

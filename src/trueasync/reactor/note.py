"""Note: what a libuv callback leaves behind, in C, for poll() to act on.

Rules of this file:
1. A callback writes a note and nothing else. It needs no GIL, so the loop can wait without,
   and nothing can run, raise or switch stacks below uv_run().
2. When the loop has turned, poll() tells the owners of the notes, in order.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_down(note: cython.pointer(Note), status: cython.int, events: cython.int) -> cython.void:
    note.events |= events
    if status != 0:
        note.status = status
    if note.queued:
        return
    note.queued = True
    note.following = cython.NULL
    if note.queue.first == cython.NULL:
        note.queue.first = note
    else:
        note.queue.last.following = note
    note.queue.last = note


@cython.cfunc
@cython.exceptval(-1, check=False)
def tell_owners(queue: cython.pointer(NoteQueue), errors: list) -> cython.int:
    """Tell each owner what was noted for it; what they raise is collected in `errors`."""
    note: cython.pointer(Note)
    status: cython.int
    events: cython.int
    while queue.first != cython.NULL:
        note = queue.first
        queue.first = note.following
        status = note.status
        events = note.events
        note.status = note.events = 0
        note.queued = False
        if note.owner == cython.NULL:
            continue
        try:
            note.tell(note.owner, status, events)
        except BaseException as error:
            errors.append(error)
    return 0

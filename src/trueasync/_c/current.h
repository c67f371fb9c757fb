/* The scheduler of this OS thread, borrowed: run_main() in home.py owns it while it is set.
   Only scheduler/current.py may include this file, so there is one copy. */
#ifndef TRUEASYNC_CURRENT_H
#define TRUEASYNC_CURRENT_H

#include <Python.h>

/* glibc keeps room for this model in libraries loaded late; it spares a call at each use. */
#if defined(__GLIBC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local PyObject *trueasync_current_scheduler = NULL;

#endif

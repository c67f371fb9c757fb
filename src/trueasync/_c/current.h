/* The scheduler of this OS thread, borrowed: Scheduler.run() owns it while it is set.
   Only scheduler/current.py may include this file, so there is one copy. */
#ifndef TRUEASYNC_CURRENT_H
#define TRUEASYNC_CURRENT_H

#include <Python.h>

static _Thread_local PyObject *trueasync_current_scheduler = NULL;

#endif

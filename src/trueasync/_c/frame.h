/* Where a Python frame stands and what a function is called, for every CPython we support. */
#ifndef TRUEASYNC_FRAME_H
#define TRUEASYNC_FRAME_H

#include <Python.h>
#include <frameobject.h>

#if PY_VERSION_HEX < 0x030B0000
/* 3.10 counts two-byte instructions; PyCode_Addr2Line() wants bytes. */
#define trueasync_frame_offset(frame) ((frame)->f_lasti * 2)
#else
#define trueasync_frame_offset(frame) PyFrame_GetLasti(frame)
#endif

/* Without the call that an attribute costs. */
#define trueasync_qualname(function) \
    (Py_INCREF(((PyFunctionObject *)(function))->func_qualname), \
     ((PyFunctionObject *)(function))->func_qualname)

#define trueasync_frame_code(frame) ((PyObject *)PyFrame_GetCode(frame))

#endif

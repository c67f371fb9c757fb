/* Calling user code, and taking what it raises without leaving a mark in the traceback. */
#ifndef TRUEASYNC_CALL_H
#define TRUEASYNC_CALL_H

#include <Python.h>

/* The exception that is set, with its traceback; a new reference. Clears it. */
static __attribute__((noinline)) PyObject *trueasync_take_error(void) {
#if PY_VERSION_HEX >= 0x030C0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
        Py_DECREF(traceback);
    }
    Py_XDECREF(type);
    return value;
#endif
}

/* The result of function(*args, **kwargs), or NULL and *error; both are new references.
   All borrowed, and as little as can be on the stack: that is copied at each switch. */
static inline PyObject *trueasync_call(
    PyObject *function, PyObject *args, PyObject *kwargs, PyObject **error) {
    PyObject *result = kwargs == Py_None
        ? PyObject_Vectorcall(
              function, ((PyTupleObject *)args)->ob_item, PyTuple_GET_SIZE(args), NULL)
        : PyObject_Call(function, args, kwargs);
    *error = result == NULL ? trueasync_take_error() : NULL;
    return result;
}

#endif

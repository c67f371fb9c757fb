/* A process that a signal has ended says so to its parent, also if it has cleaned up first. */
#ifndef TRUEASYNC_EXIT_H
#define TRUEASYNC_EXIT_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int trueasync_ending_signal = 0;
static int trueasync_whatever_the_status = 0;

static void trueasync_at_exit(int status, void *unused) {
    (void)unused;
    /* Another status means that the program has decided otherwise since. */
    if (trueasync_ending_signal != 0
        && (trueasync_whatever_the_status || status == 128 + trueasync_ending_signal)) {
        fflush(NULL);
        signal(trueasync_ending_signal, SIG_DFL);
        raise(trueasync_ending_signal);
    }
}

/* Only glibc tells a function at exit the status; elsewhere that stays 128 + number. */
static void trueasync_exit_as_after(int number, int whatever_the_status) {
#if defined(__GLIBC__)
    static int registered = 0;
    if (!registered) {
        registered = on_exit(trueasync_at_exit, NULL) == 0;
    }
#else
    (void)trueasync_at_exit;
#endif
    trueasync_ending_signal = number;
    trueasync_whatever_the_status |= whatever_the_status;
}

#endif

"""The health checks of a pool: now and then a coroutine looks at what lies idle.

The timer is hidden: it keeps no run going. Nor does it keep a pool that nobody has any more.
"""

import weakref

import cython
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.pool import Pool


@cython.cfunc
def start_watch(pool: Pool) -> Event:
    """Look at what is idle in a while, in a coroutine of this thread's run."""
    scheduler: Scheduler = scheduler_here()
    timer: Event = scheduler.reactor.timer(pool.check_every)
    due: Due = Due.__new__(Due)
    due.pool = weakref.ref(pool)
    timer.hide()
    timer.add_listener(due)
    timer.start()
    return timer


@cython.final
@cython.cclass
class Due(Listener):
    """Told when it is time to look."""

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        """Spawn who looks. Never suspends."""
        pool: Pool = self.pool()
        scheduler: Scheduler = scheduler_here()
        if pool is not None and not pool.closed and scheduler is not None and not scheduler.hard:
            scheduler.spawn(check_health, (pool,), None, 0)
        return True


def check_health(pool: Pool) -> None:
    """Look at each resource that lies idle, and make what is missing of the minimum.

    Suspends the coroutine in `check` and in the factory.
    """
    try:
        check_idle(pool)
        refill(pool)
    finally:
        pool.due = None if pool.closed else start_watch(pool)


@cython.cfunc
@cython.exceptval(-1, check=False)
def check_idle(pool: Pool) -> cython.int:
    # As many as lie there now; the one that has not been used for longest comes first.
    for _ in range(len(pool.free)):
        if pool.closed or not pool.free:
            break
        check_one(pool, pool.free.pop(0))
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def check_one(pool: Pool, item) -> cython.int:
    try:
        good = pool.check(item) is not False
    except Exception:
        good = False  # that is how most of them say so
    except BaseException:  # thrown into its wait; nobody knows how far it came
        pool.remove(item)
        raise
    return pool.put(item) if good else pool.remove(item)


@cython.cfunc
@cython.exceptval(-1, check=False)
def refill(pool: Pool) -> cython.int:
    while pool.total < pool.minimum and not pool.closed and not is_tripped(pool):
        pool.total += 1
        try:
            item = pool.make(None)
        except Exception as error:
            pool.report(error)  # the next look tries again
            break
        pool.put(item)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_tripped(pool: Pool) -> cython.bint:
    return pool.breaker is not None and pool.breaker.tripped

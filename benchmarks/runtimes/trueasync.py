"""trueasync: this project, through its public functions."""

from __future__ import annotations

from subprocess import PIPE

import trueasync
from benchmarks.alarms import Alarms, clock
from benchmarks.echo import Load
from benchmarks.folder import Folder
from benchmarks.fragments import Fragments
from benchmarks.meter import Meter
from benchmarks.process import resident_bytes
from benchmarks.programs import COMMAND, Programs
from benchmarks.ring import Ring
from benchmarks.tls import TlsLoad
from benchmarks.waiting.trueasync import (  # noqa: F401 - workloads, too
    borrow_in_turn,
    choose,
    lock_alone,
    lock_in_turn,
    put_items,
    send_items,
)
from trueasync import Cancelled, scope, sleep, spawn, suspend, timeout
from trueasync.scheduler.calls import running_scheduler


def run(workload, meter: Meter, **sizes) -> None:
    trueasync.run(workload, meter, **sizes)


def join(coroutines: list) -> None:
    for coroutine in coroutines:
        coroutine.result()


def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    ring = Ring(meter, coroutines, turns)
    join([spawn(take_turns, ring, turns) for turns in ring.turns])


def take_turns(ring, turns) -> None:
    suspend()
    ring.begin()
    for _ in turns:
        suspend()
    ring.end()


def spawn_join(meter: Meter, batches: int, batch: int) -> None:
    with meter:
        for _ in range(batches):
            join([spawn(do_nothing) for _ in range(batch)])
    meter.count(batches * batch)


def do_nothing() -> None:
    pass


def spawn_wait(meter: Meter, coroutines: int) -> None:
    # The gate is a coroutine that everybody joins, where others have an event.
    gates: list = []
    waiting = [spawn(wait_at, gates) for _ in range(coroutines)]
    # Spawned last, so it runs, and ends, when all the others wait.
    gates.append(spawn(do_nothing))
    join(waiting)
    meter.count(coroutines)


def wait_at(gates: list) -> None:
    gates[0].result()


def spawn_wait_again(meter: Meter, coroutines: int) -> None:
    spawn_wait(Meter(), coroutines)
    with meter:
        spawn_wait(meter, coroutines)


def sleep_for_long(meter: Meter, coroutines: int) -> None:
    suspend()
    before = resident_bytes()
    sleeping = spawn_sleeping(coroutines)
    meter.record(rss=resident_bytes() - before)
    meter.count(len(sleeping))
    meter.report_and_exit()


def spawn_sleeping(coroutines: int) -> list:
    sleeping = [spawn(sleep_an_hour) for _ in range(coroutines)]
    suspend()
    return sleeping


def sleep_an_hour() -> None:
    sleep(3600)


def sleep_until_due(meter: Meter, coroutines: int, settle: float, spread: float) -> None:
    alarms = Alarms(coroutines, settle, spread)
    with meter:
        sleeping = [spawn(sleep_until, moment, alarms.woken) for moment in alarms.moments]
        suspend()
        alarms.all_asleep()
        join(sleeping)
    alarms.report(meter)


def sleep_until(moment: float, woken: list) -> None:
    sleep(moment - clock())
    woken.append(moment)


def cancel_all(meter: Meter, coroutines: int) -> None:
    sleeping = spawn_sleeping(coroutines)
    cancelled = 0
    with meter:
        for coroutine in sleeping:
            coroutine.cancel()
        for coroutine in sleeping:
            try:
                coroutine.result()
            except Cancelled:
                cancelled += 1
    meter.count(cancelled)


def arm_and_cancel(meter: Meter, timers: int, alive: int) -> None:
    timer = running_scheduler("timers").reactor.timer
    with meter:
        for _ in range(timers // alive):
            armed = []
            for place in range(alive):
                event = timer(60.0 + place % 97)
                event.start()
                armed.append(event)
            for event in armed:
                event.stop()
    meter.count(timers)


def end_every_second(meter: Meter, coroutines: int) -> None:
    fragments = Fragments()
    for _ in range(Fragments.BURSTS):
        burst(fragments, coroutines)
        fragments.all_ended()
    fragments.report(meter)


def burst(fragments: Fragments, coroutines: int) -> None:
    gates: tuple[list, list] = [], []
    waiting = [spawn(wait_at, gates[place % 2]) for place in range(coroutines)]
    gates[0].append(spawn(do_nothing))
    # The second gate ends, and lets the others go, when it has seen the first half end.
    gates[1].append(spawn(watch, waiting[::2], fragments))
    join(waiting)


def watch(ending: list, fragments: Fragments) -> None:
    join(ending)
    fragments.half_ended()


def run_programs(meter: Meter, programs: int, at_once: int) -> None:
    run_program(Programs(1))  # imports what it needs
    work = Programs(programs)
    with meter:
        join([spawn(run_program, work) for _ in range(at_once)])
    meter.count(work.run)


def run_program(work: Programs) -> None:
    for _ in work.turns:
        done = trueasync.run_process(COMMAND, stdout=PIPE)
        work.said(done.stdout, done.returncode)


def fill_scopes(meter: Meter, scopes: int, children: int) -> None:
    with meter:
        for _ in range(scopes):
            with scope() as s:
                for _ in range(children):
                    s.spawn(do_nothing)
    meter.count(scopes * children)


def use_no_timeout(meter: Meter, timeouts: int) -> None:
    with meter:
        for _ in range(timeouts):
            with timeout(5):
                do_nothing()
    meter.count(timeouts)


def echo(meter: Meter, **sizes) -> None:
    load = Load(meter, **sizes)
    listener = trueasync.adopt(load.listener)
    load.start()
    join([spawn(answer, listener.accept()) for _ in range(load.connections)])
    load.report()


def answer(stream) -> None:
    with stream:
        while data := stream.read():
            stream.write(data)


def tls_echo(meter: Meter, **sizes) -> None:
    load = TlsLoad(meter, **sizes)
    listener = trueasync.adopt(load.listener)
    load.start()
    accepted = (listener.accept() for _ in range(load.connections))
    join([spawn(tls_answer, load.context, stream) for stream in accepted])
    load.report()


def tls_answer(context, stream) -> None:
    answer(trueasync.start_tls(stream, context, server_side=True))


def unix_ping_pong(meter: Meter, turns: int) -> None:
    one, other = trueasync.stream_pair()
    ping_pong(meter, turns, (one, one), (other, other))


def pipe_ping_pong(meter: Meter, turns: int) -> None:
    (from_one, to_other), (from_other, to_one) = trueasync.pipe(), trueasync.pipe()
    ping_pong(meter, turns, (from_other, to_other), (from_one, to_one))


def ping_pong(meter: Meter, turns: int, here, there) -> None:
    other = spawn(pong, *there)
    read, write = here[0].read, here[1].write
    with meter:
        for _ in range(turns):
            write(b"x")
            read()
    meter.count(turns)
    for stream in {*here, *there}:
        stream.close()
    other.cancel()


def pong(reader, writer) -> None:
    while data := reader.read():
        writer.write(data)


def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    trueasync.read_file(folder.paths[0])  # imports what it needs
    with meter:
        reading = [spawn(trueasync.read_file, path) for path in folder.paths]
        contents = [reader.result() for reader in reading]
    folder.report(meter, contents)

"""gevent, with the libev loop and the settings it has by default.

Nothing is patched: the scenarios call gevent directly.
"""

from __future__ import annotations

import os

from gevent import Timeout, get_hub, joinall, killall, sleep, spawn, subprocess
from gevent.event import Event
from gevent.fileobject import FileObjectPosix
from gevent.pool import Pool
from gevent.socket import socket, socketpair
from gevent.ssl import PROTOCOL_TLS_SERVER
from gevent.ssl import SSLContext as GeventSSLContext

from benchmarks.alarms import Alarms, clock
from benchmarks.echo import Load
from benchmarks.folder import Folder, read
from benchmarks.fragments import Fragments
from benchmarks.meter import Meter
from benchmarks.process import resident_bytes
from benchmarks.programs import COMMAND, Programs
from benchmarks.ring import Ring
from benchmarks.tls import TlsLoad
from benchmarks.waiting.gevent import (  # noqa: F401 - workloads, too
    borrow_in_turn,
    choose,
    lock_alone,
    lock_in_turn,
    put_items,
    send_items,
)


def run(workload, meter: Meter, **sizes) -> None:
    workload(meter, **sizes)


def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    ring = Ring(meter, coroutines, turns)
    joinall([spawn(take_turns, ring, turns) for turns in ring.turns])


def take_turns(ring, turns) -> None:
    sleep(0)
    ring.begin()
    for _ in turns:
        sleep(0)
    ring.end()


def spawn_join(meter: Meter, batches: int, batch: int) -> None:
    with meter:
        for _ in range(batches):
            joinall([spawn(do_nothing) for _ in range(batch)])
    meter.count(batches * batch)


def do_nothing() -> None:
    pass


def spawn_wait(meter: Meter, coroutines: int) -> None:
    gate = Event()
    waiting = [spawn(wait_at, gate) for _ in range(coroutines)]
    # Spawned last, so it runs when all the others wait.
    spawn(gate.set)
    joinall(waiting)
    meter.count(coroutines)


def wait_at(gate) -> None:
    gate.wait()


def spawn_wait_again(meter: Meter, coroutines: int) -> None:
    spawn_wait(Meter(), coroutines)
    with meter:
        spawn_wait(meter, coroutines)


def sleep_for_long(meter: Meter, coroutines: int) -> None:
    sleep(0)
    before = resident_bytes()
    sleeping = spawn_sleeping(coroutines)
    meter.record(rss=resident_bytes() - before)
    meter.count(len(sleeping))
    meter.report_and_exit()


def spawn_sleeping(coroutines: int) -> list:
    sleeping = [spawn(sleep_an_hour) for _ in range(coroutines)]
    sleep(0)
    return sleeping


def sleep_an_hour() -> None:
    sleep(3600)


def sleep_until_due(meter: Meter, coroutines: int, settle: float, spread: float) -> None:
    alarms = Alarms(coroutines, settle, spread)
    with meter:
        sleeping = [spawn(sleep_until, moment, alarms.woken) for moment in alarms.moments]
        sleep(0)
        alarms.all_asleep()
        joinall(sleeping)
    alarms.report(meter)


def sleep_until(moment: float, woken: list) -> None:
    sleep(moment - clock())
    woken.append(moment)


def cancel_all(meter: Meter, coroutines: int) -> None:
    sleeping = spawn_sleeping(coroutines)
    with meter:
        # Throws into each of them from one callback, and waits until all have ended.
        killall(sleeping, block=True)
    meter.count(sum(1 for ended in sleeping if ended.dead))


def arm_and_cancel(meter: Meter, timers: int, alive: int) -> None:
    timer = get_hub().loop.timer
    with meter:
        for _ in range(timers // alive):
            armed = []
            for place in range(alive):
                watcher = timer(60.0 + place % 97)
                watcher.start(do_nothing)
                armed.append(watcher)
            for watcher in armed:
                watcher.close()
    meter.count(timers)


def end_every_second(meter: Meter, coroutines: int) -> None:
    fragments = Fragments()
    for _ in range(Fragments.BURSTS):
        burst(fragments, coroutines)
        fragments.all_ended()
    fragments.report(meter)


def burst(fragments: Fragments, coroutines: int) -> None:
    gates = Event(), Event()
    waiting = [spawn(wait_at, gates[place % 2]) for place in range(coroutines)]
    sleep(0)
    gates[0].set()
    joinall(waiting[::2])
    fragments.half_ended()
    gates[1].set()
    joinall(waiting)


def run_programs(meter: Meter, programs: int, at_once: int) -> None:
    run_program(Programs(1))
    work = Programs(programs)
    with meter:
        joinall([spawn(run_program, work) for _ in range(at_once)], raise_error=True)
    meter.count(work.run)


def run_program(work: Programs) -> None:
    for _ in work.turns:
        done = subprocess.run(COMMAND, stdout=subprocess.PIPE)
        work.said(done.stdout, done.returncode)


def fill_scopes(meter: Meter, scopes: int, children: int) -> None:
    with meter:
        for _ in range(scopes):
            pool = Pool()
            for _ in range(children):
                pool.spawn(do_nothing)
            pool.join(raise_error=True)
    meter.count(scopes * children)


def use_no_timeout(meter: Meter, timeouts: int) -> None:
    with meter:
        for _ in range(timeouts):
            with Timeout(5):
                do_nothing()
    meter.count(timeouts)


def echo(meter: Meter, **sizes) -> None:
    load = Load(meter, **sizes)
    listener = socket(fileno=load.listener.detach())
    load.start()
    joinall([spawn(answer, listener.accept()[0]) for _ in range(load.connections)])
    load.report()


def answer(connection) -> None:
    with connection:
        while data := connection.recv(65536):
            connection.sendall(data)


def tls_echo(meter: Meter, **sizes) -> None:
    load = TlsLoad(meter, **sizes)
    listener = socket(fileno=load.listener.detach())
    # gevent has a class of its own for contexts.
    context = GeventSSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(load.certificate)
    load.start()
    accepted = (listener.accept()[0] for _ in range(load.connections))
    joinall([spawn(tls_answer, context, connection) for connection in accepted])
    load.report()


def tls_answer(context, connection) -> None:
    answer(context.wrap_socket(connection, server_side=True))


def unix_ping_pong(meter: Meter, turns: int) -> None:
    one, other = socketpair()
    ping_pong(meter, turns, one.recv, one.sendall, other.recv, other.sendall)


def pipe_ping_pong(meter: Meter, turns: int) -> None:
    (from_one, to_other), (from_other, to_one) = os.pipe(), os.pipe()
    here = FileObjectPosix(from_other, "rb", 0), FileObjectPosix(to_other, "wb", 0)
    there = FileObjectPosix(from_one, "rb", 0), FileObjectPosix(to_one, "wb", 0)
    ping_pong(meter, turns, here[0].read, here[1].write, there[0].read, there[1].write)


def ping_pong(meter: Meter, turns: int, read, write, read_there, write_there) -> None:
    spawn(pong, read_there, write_there)
    with meter:
        for _ in range(turns):
            write(b"x")
            read(65536)
    meter.count(turns)
    meter.report_and_exit()


def pong(read, write) -> None:
    while data := read(65536):
        write(data)


def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    pool = get_hub().threadpool
    with meter:
        contents = list(pool.map(read, folder.paths))
    folder.report(meter, contents)

"""Listener: accepting, waiting, closing, and a process that has no descriptor left."""

import socket

import pytest

import trueasync
from trueasync import HandleClosed, UsageError, adopt, connect, listen, sleep, spawn, suspend


def wait_until_it_waits_for_a_timer(coroutine):
    while not any("timer" in what for what in coroutine.waits_for):
        suspend()


def test_those_who_accept_are_served_in_order():
    def main():
        with listen("127.0.0.1") as listener:
            order = []

            def take(number):
                with listener.accept() as stream:
                    order.append((number, stream.read()))

            takers = [spawn(take, number) for number in range(5)]
            suspend()
            for number in range(5):
                with connect("127.0.0.1", listener.port) as client:
                    client.write(b"%d" % number)
                    takers[number].result()
            return order

    assert trueasync.run(main) == [(number, b"%d" % number) for number in range(5)]


def test_a_loop_takes_connections_until_it_is_closed():
    def main():
        listener = listen("127.0.0.1")
        names = []

        def take():
            for stream in listener:
                with stream:
                    names.append(stream.read())

        taking = spawn(take)
        for number in range(40):
            with connect("127.0.0.1", listener.port) as client:
                client.write(b"%d" % number)
                assert client.read() == b""
        listener.close()
        taking.result()
        return names

    assert trueasync.run(main) == [b"%d" % number for number in range(40)]


def test_the_peer_has_a_name_in_messages():
    def main():
        for host, name in (("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")):
            listener = listen(host)
            with listener, connect(host, listener.port) as client, listener.accept() as stream:
                port = client.local_address[1]
                assert repr(stream) == f"<SocketStream {name}:{port}>"
                assert stream.peer_address[:2] == (host, port)

    trueasync.run(main)


def test_closing_wakes_who_accepts():
    def main():
        listener = listen()
        waiting = [spawn(listener.accept) for _ in range(3)]
        suspend()
        listener.close()
        listener.close()
        for each in waiting:
            with pytest.raises(HandleClosed, match=r"cannot accept at .*: it was closed here"):
                each.result()
        with pytest.raises(HandleClosed):
            listener.accept()
        assert list(listener) == []
        assert "closed" in repr(listener)

    trueasync.run(main)


def test_who_is_cancelled_leaves_the_connection_to_the_next(seeds):
    def main():
        with listen("127.0.0.1") as listener:
            takers = [spawn(listener.accept) for _ in range(3)]
            suspend()
            clients = [connect("127.0.0.1", listener.port) for _ in range(2)]
            takers[0].cancel()
            while sum(taker.done() and not taker.cancelled() for taker in takers) < 2:
                suspend()
            for taker in takers:
                taker.cancel()
            taken = []
            for taker in takers:
                try:
                    taken.append(taker.result())
                except trueasync.Cancelled:
                    pass
            for stream in (*taken, *clients):
                stream.close()
            return len(taken)

    for seed in seeds:
        assert trueasync.run(main) == 2
        if seed == "random:30":
            break


def test_without_descriptors_it_warns_and_waits_until_there_are_some(few_descriptors):
    def main():
        with listen("127.0.0.1") as listener:
            clients = [socket.create_connection(("127.0.0.1", listener.port)) for _ in range(8)]
            few_descriptors(4)
            accepted = []

            def take():
                while len(accepted) < 8:
                    accepted.append(listener.accept())

            taking = spawn(take)
            with pytest.warns(RuntimeWarning, match=r"cannot accept at .*: Too many open files"):
                wait_until_it_waits_for_a_timer(taking)
            before = trueasync.stats()["polls"]
            sleep(0.1)  # in a busy loop, thousands of polls
            polls = trueasync.stats()["polls"] - before
            while len(accepted) < 8:
                for stream in accepted:
                    stream.close()
                sleep(0.05)
            taking.result()
            for stream in (*accepted, *clients):
                stream.close()
            return polls

    assert trueasync.run(main) < 20


def test_closing_wakes_one_that_waits_for_descriptors(few_descriptors):
    def main():
        listener = listen("127.0.0.1")
        client = socket.create_connection(("127.0.0.1", listener.port))
        few_descriptors(0)
        taking = spawn(listener.accept)
        with pytest.warns(RuntimeWarning):
            suspend()
        listener.close()
        with pytest.raises(HandleClosed):
            taking.result()
        client.close()

    trueasync.run(main)


def test_a_peer_that_was_gone_before_it_was_accepted_is_no_error():
    def main():
        with listen("127.0.0.1") as listener:
            gone = socket.create_connection(("127.0.0.1", listener.port))
            gone.close()
            with connect("127.0.0.1", listener.port) as client:
                client.write(b"here")
                with listener.accept() as first, listener.accept() as second:
                    return first.read(), second.read()

    assert trueasync.run(main) == (b"", b"here")


def test_a_storm_of_connections_lets_the_others_run():
    def main():
        with listen("127.0.0.1") as listener:
            clients = [socket.create_connection(("127.0.0.1", listener.port)) for _ in range(40)]
            turns = []

            def count():
                while len(turns) < 1000:
                    turns.append(len(accepted))
                    suspend()

            accepted = []
            counting = spawn(count)
            accepted.extend(listener.accept() for _ in range(40))
            for each in (*accepted, *clients):
                each.close()
            counting.result()
            return len(set(turns))

    assert trueasync.run(main) > 2


def test_a_listening_socket_of_others_can_be_adopted():
    server = socket.create_server(("127.0.0.1", 0))

    def main():
        listener = adopt(server)
        port = listener.port
        with listener, connect("127.0.0.1", port) as client, listener.accept() as stream:
            client.write(b"hello")
            return stream.read()

    assert trueasync.run(main) == b"hello"


def test_one_run_cannot_use_the_listener_of_another(python):
    script = """
import threading, trueasync
from trueasync import listen, spawn, suspend

def main():
    listener = listen("127.0.0.1")
    waiting = spawn(listener.accept)
    suspend()
    def elsewhere(call):
        try:
            trueasync.run(call)
        except trueasync.UsageError as error:
            print(str(error).partition(" ")[2])
    for call in (listener.accept, listener.close):
        thread = threading.Thread(target=elsewhere, args=[call])
        thread.start()
        thread.join()
    waiting.cancel()
    listener.close()

trueasync.run(main)
"""
    assert python(script).stdout.splitlines() == [
        "is listened at in another run, which has not ended",
        "is listened at in another run; close it there",
    ]


def test_it_can_go_from_one_run_to_the_next():
    listener = trueasync.run(listen, "127.0.0.1")

    def main():
        connect("127.0.0.1", listener.port).close()
        with listener.accept() as stream:
            return stream.read()

    assert (trueasync.run(main), trueasync.run(main)) == (b"", b"")
    listener.close()


def test_it_needs_a_run_to_wait():
    listener = trueasync.run(listen, "127.0.0.1")

    with listener, pytest.raises(UsageError, match=r"works inside trueasync\.run"):
        listener.accept()

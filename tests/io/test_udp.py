"""UDP: whole messages, who sent them, what was cut; groups; what the network answers."""

import errno
import socket

import pytest

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.udp import bind_udp, connect_udp

LOCAL = {"IPv4": "127.0.0.1", "IPv6": "::1"}


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.fixture(params=LOCAL)
def host(request):
    if request.param == "IPv6" and not has_ipv6():
        pytest.skip("no IPv6 here")
    return LOCAL[request.param]


@pytest.fixture
def use(host):
    """`use(body)`: what body(one, other) returns, with two bound sockets."""

    def use(body):
        def main():
            with bind_udp(host) as one, bind_udp(host) as other:
                return body(one, other)

        return trueasync.run(main)

    return use


def settle():
    for _ in range(5):
        trueasync.sleep(0.0001)


def raised_by(coroutine):
    try:
        coroutine.result()
    except BaseException as error:
        return error
    return None


# -- messages ----------------------------------------------------------------------------


def test_a_message_arrives_with_the_address_of_its_sender(use):
    def body(one, other):
        sent = one.send_to(b"ping", other.address)
        data, address, truncated = other.receive_from()
        other.send_to(b"pong", address)
        return sent, data, address[:2] == one.address[:2], truncated, one.receive_from().data

    assert use(body) == (4, b"ping", True, False, b"pong")


def test_messages_stay_apart_and_an_empty_one_is_no_end(use):
    def body(one, other):
        for data in (b"first", b"", bytearray(b"third"), memoryview(b"fourth")):
            one.send_to(data, other.address)
        return [other.receive_from().data for _ in range(4)]

    assert use(body) == [b"first", b"", b"third", b"fourth"]


def test_who_receives_waits_for_a_message(use):
    def body(one, other):
        receiver = trueasync.spawn(other.receive_from)
        settle()
        early = receiver.done()
        one.send_to(b"late", other.address)
        return early, receiver.result().data

    assert use(body) == (False, b"late")


def test_a_message_that_is_longer_than_asked_for_is_cut_and_says_so(use):
    def body(one, other):
        for _ in range(3):
            one.send_to(b"0123456789", other.address)
        short = other.receive_from(4)
        exact = other.receive_from(10)
        target = bytearray(6)
        size, _, truncated = other.receive_into(target)
        return short[::2], exact[::2], size, bytes(target), truncated

    assert use(body) == ((b"0123", True), (b"0123456789", False), 6, b"012345", True)


def test_the_largest_message_and_one_too_large(use):
    def body(one, other):
        largest = bytes(65_000)
        one.send_to(largest, other.address)
        with pytest.raises(OSError, match="cannot write to UDP at") as caught:
            one.send_to(bytes(70_000), other.address)
        return other.receive_from().data == largest, caught.value.errno

    assert use(body) == (True, errno.EMSGSIZE)


def test_several_receivers_get_one_message_each_in_order(use):
    def body(one, other):
        receivers = [trueasync.spawn(other.receive_from) for _ in range(5)]
        settle()
        for number in range(5):
            one.send_to(b"%d" % number, other.address)
        return [receiver.result().data for receiver in receivers]

    assert use(body) == [b"%d" % number for number in range(5)]


def test_a_name_is_looked_up():
    def main():
        with bind_udp("localhost") as one:
            one.send_to(b"to a name", ("localhost", one.port))
            return one.receive_from().data

    assert trueasync.run(main) == b"to a name"


def test_an_address_of_the_other_family_is_refused():
    def main():
        with bind_udp("127.0.0.1") as one, pytest.raises(OSError, match="another family") as caught:
            one.send_to(b"x", ("::1", 9))
        return caught.value.errno

    assert trueasync.run(main) == errno.EAFNOSUPPORT


# -- one other ---------------------------------------------------------------------------


def test_a_connected_one_reads_and_writes(use, host):
    def body(one, other):
        with connect_udp(host, one.port) as asking:
            asking.write(b"question")
            data, address, _ = one.receive_from()
            other.send_to(b"from somebody else", address)
            one.send_to(b"answer", address)
            return data, asking.read()

    assert use(body) == (b"question", b"answer")


def test_where_nobody_receives_the_next_call_says_so(host):
    def main():
        with bind_udp(host) as taken:
            port = taken.port
        with connect_udp(host, port) as asking:
            asking.write(b"is anybody there?")
            with pytest.raises(ConnectionRefusedError, match=f"UDP with .*{port}"):
                asking.read()
            with bind_udp(host, port) as late:  # and it can be used on
                asking.write(b"now?")
                return late.receive_from().data

    assert trueasync.run(main) == b"now?"


def test_it_connects_from_an_address_of_choice(host):
    def main():
        with bind_udp(host) as one:
            with bind_udp(host) as free:
                port = free.port
            with connect_udp(host, one.port, local_address=(host, port)) as asking:
                asking.write(b"x")
                return one.receive_from().address[1] == port

    assert trueasync.run(main)


# -- to many -----------------------------------------------------------------------------


def test_a_broadcast_has_to_be_allowed():
    def main():
        with bind_udp("127.0.0.1") as one:
            with pytest.raises(PermissionError):
                one.send_to(b"x", ("255.255.255.255", 9))
            one.set_broadcast(True)
            try:
                one.send_to(b"x", ("255.255.255.255", 9))
            except OSError as error:
                return error.errno
            return 0

    assert trueasync.run(main) != errno.EACCES  # there may be no network, but it is allowed


@pytest.mark.parametrize("family", ["IPv4", "IPv6"])
def test_a_group_hears_what_is_sent_to_it_until_it_is_left(family):
    if family == "IPv6" and not has_ipv6():
        pytest.skip("no IPv6 here")
    group, anywhere, scope = {
        "IPv4": ("224.0.0.251", "0.0.0.0", ()),
        "IPv6": ("ff02::fb", "::", (0, socket.if_nametoindex("lo"))),
    }[family]

    def main():
        with bind_udp(anywhere) as hearing, bind_udp(anywhere) as sending:
            try:
                hearing.join(group, "lo")
                sending.set_multicast(interface="lo", hops=1, loop=True)
                sending.send_to(b"to all", (group, hearing.port, *scope))
            except OSError as error:
                pytest.skip(f"no multicast here: {error}")
            heard = hearing.receive_from().data
            hearing.leave(group, "lo")
            with pytest.raises(OSError, match=f"cannot leave {group}"):
                hearing.leave(group, "lo")
            return heard

    assert trueasync.run(main) == b"to all"


def test_how_messages_to_a_group_are_sent_is_told_to_the_system():
    def main():
        with bind_udp("127.0.0.1") as one:
            ask = one.socket.getsockopt
            options = socket.IP_MULTICAST_LOOP, socket.IP_MULTICAST_TTL
            before = [ask(socket.IPPROTO_IP, option) for option in options]
            one.set_multicast(loop=False, hops=7)
            after = [ask(socket.IPPROTO_IP, option) for option in options]
            one.set_multicast(loop=True)
            return before, after, [ask(socket.IPPROTO_IP, option) for option in options]

    assert trueasync.run(main) == ([1, 1], [0, 7], [1, 7])


def test_an_interface_is_named_numbered_or_known_by_its_address():
    def main():
        with bind_udp("0.0.0.0") as one:
            for interface in ("127.0.0.1", "lo", socket.if_nametoindex("lo")):
                one.join("224.0.0.251", interface)
                one.leave("224.0.0.251", "lo")
            with pytest.raises(OSError, match="no interface"):
                one.join("224.0.0.251", "nosuch0")
            with pytest.raises(OSError, match="illegal IP address"):
                one.join("no group")

    trueasync.run(main)


def test_several_share_a_port_if_all_want_to(host):
    def main():
        with (
            bind_udp(host, reuse_port=True) as one,
            bind_udp(host, one.port, reuse_port=True) as other,
        ):
            with pytest.raises(OSError, match="cannot bind") as caught:
                bind_udp(host, one.port)
            return one.port == other.port, caught.value.errno

    assert trueasync.run(main) == (True, errno.EADDRINUSE)


# -- bad input, cancelled, closed --------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda one: one.send_to("text", one.address), TypeError),
        (lambda one: one.send_to(b"x", "nowhere"), (TypeError, OSError)),
        (lambda one: one.send_to(b"x", None), TypeError),
        (lambda one: one.send_to(b"x", ("127.0.0.1", 99999)), OverflowError),
        (lambda one: one.receive_from(-1), ValueError),
        (lambda one: one.receive_into(b"read only"), (TypeError, BufferError)),
        (lambda one: one.write(b"to whom?"), OSError),
        (lambda one: one.set_multicast(hops=1000), OSError),
    ],
)
def test_bad_input_is_refused_and_it_goes_on(act, error):
    def main():
        with bind_udp("127.0.0.1") as one:
            with pytest.raises(error):
                act(one)
            one.send_to(b"still there", one.address)
            return one.receive_from().data

    assert trueasync.run(main) == b"still there"


def test_an_address_of_another_machine_cannot_be_bound():
    with pytest.raises(OSError, match="cannot bind") as caught:
        trueasync.run(bind_udp, "192.0.2.1", 5000)

    assert caught.value.errno == errno.EADDRNOTAVAIL


def test_a_cancelled_receiver_takes_no_message(seeds):
    def main():
        with bind_udp("127.0.0.1") as one:
            receiver = trueasync.spawn(one.receive_from)
            trueasync.suspend()
            receiver.cancel()
            one.send_to(b"kept", one.address)
            assert isinstance(raised_by(receiver), Cancelled)
            return one.receive_from().data

    for _ in seeds:
        assert trueasync.run(main) == b"kept"


def test_closing_wakes_all_who_receive(use):
    def body(one, other):
        receivers = [trueasync.spawn(one.receive_from) for _ in range(3)]
        settle()
        one.close()
        one.close()
        return [type(raised_by(receiver)) for receiver in receivers], one.fileno()

    assert use(body) == ([HandleClosed] * 3, -1)


@pytest.mark.parametrize(
    "act",
    [
        lambda one: one.receive_from(),
        lambda one: one.receive_into(bytearray(1)),
        lambda one: one.send_to(b"x", ("127.0.0.1", 9)),
        lambda one: one.read(),
        lambda one: one.write(b"x"),
        lambda one: one.join("224.0.0.251"),
        lambda one: one.address,
    ],
)
def test_nothing_can_be_done_with_a_closed_one(act):
    def main():
        one = bind_udp("127.0.0.1")
        one.close()
        with pytest.raises(HandleClosed):
            act(one)

    trueasync.run(main)


def test_who_never_has_to_wait_lets_others_run(use):
    def body(one, other):
        turns = []
        ticking = trueasync.spawn(lambda: [turns.append(trueasync.suspend()) for _ in range(5)])
        for _ in range(200):
            one.send_to(b"x", one.address)
            one.receive_from()
        early = len(turns)
        ticking.result()
        return early

    assert use(body) == 5


def test_it_is_used_in_one_run_and_then_in_another(host):
    one = trueasync.run(bind_udp, host)

    def echo(data):
        receiver = trueasync.spawn(one.receive_from)
        settle()
        one.send_to(data, one.address)
        return receiver.result().data

    heard = [trueasync.run(echo, data) for data in (b"one", b"two")]
    one.close()

    assert heard == [b"one", b"two"]

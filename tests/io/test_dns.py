"""getaddrinfo and getnameinfo: exactly as the socket module, and cancellable."""

import shutil
import socket
import subprocess

import pytest

import trueasync
from trueasync import Cancelled, UsageError, getaddrinfo, getnameinfo
from trueasync.reactor import lookup as lookup_module
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor

QUESTIONS = [
    ("127.0.0.1", 80),
    ("::1", 80),
    ("127.0.0.1", "80"),
    ("127.0.0.1", b"80"),
    (b"127.0.0.1", 80),
    ("127.0.0.1", None),
    ("127.1", 80),
    ("0x7f000001", 80),
    ("2130706433", 0),
    ("fe80::1%1", 80),
    ("::ffff:127.0.0.1", 80),
    (None, 80),
    (None, "http"),
    (None, 0, socket.AF_INET6),
    (None, 80, 0, socket.SOCK_STREAM, 0, socket.AI_PASSIVE),
    ("localhost", 80),
    ("localhost", "http"),
    ("localhost", "domain", 0, socket.SOCK_DGRAM),
    (b"localhost", b"https"),
    ("LOCALHOST", 80),
    ("localhost", 80, socket.AF_INET),
    ("localhost", 80, socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP),
    ("localhost", 80, 0, 0, 0, socket.AI_CANONNAME),
    ("127.0.0.1", 80, 0, 0, 0, socket.AI_CANONNAME),
    ("127.0.0.1", 80, socket.AF_INET6, 0, 0, socket.AI_V4MAPPED),
    ("127.0.0.1", 80, 0, 0, 0, socket.AI_NUMERICHOST | socket.AI_NUMERICSERV),
    ("localhost", 80, 0, 0, 0, socket.AI_ADDRCONFIG),
]
# Those that fail, or may fail, depending on the system.
WRONG = [
    ("localhost", 80, socket.AF_INET6),
    ("", 80),
    ("localhost", 80, 0, 0, 0, socket.AI_NUMERICHOST),
    ("127.0.0.1", "http", 0, 0, 0, socket.AI_NUMERICSERV),
    ("127.0.0.1", 80, socket.AF_INET6),
    ("::1", 80, socket.AF_INET),
    ("nowhere.invalid", 80),
    ("1.nowhere.invalid", 80),
    ("bücher.invalid", 80),
    ("straße.invalid", 80),
    ("localhost", "no-such-service"),
    ("127.0.0.1", 80, 9999),
    ("127.0.0.1", 80, 0, 9999),
    ("127.0.0.1", 80, 0, socket.SOCK_STREAM, 9999),
    ("127.0.0.1", 80, 0, 0, 0, 1 << 20),
    (None, None),
    ("1:2:3", 80),
    ("a" * 300, 80),
    ("a" * 64 + ".invalid", 80),
    ("a..invalid", 80),
    ("with\0null", 80),
    (b"with\0null", 80),
    (b"\xff\xfe", 80),
    (5, 80),
    ("127.0.0.1", 1.5),
    ("127.0.0.1", [80]),
    ("127.0.0.1", 1 << 70),
    ("127.0.0.1", -1),
    ("127.0.0.1", 1 << 17),
]


def outcome(function, *arguments):
    """What it returns, or the kind and arguments of what it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args, getattr(error, "errno", None)


def name_of(question):
    return " ".join(repr(part)[:20] for part in question)


# -- getaddrinfo ---------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS + WRONG, ids=name_of)
def test_it_answers_exactly_as_the_standard_library(question):
    expected = outcome(socket.getaddrinfo, *question)

    answer = trueasync.run(outcome, getaddrinfo, *question)

    assert answer == expected
    if question in QUESTIONS:
        assert isinstance(answer, list)
        assert [type(part) for part in answer[0]] == [type(part) for part in expected[0]]


@pytest.mark.parametrize("question", QUESTIONS + WRONG, ids=name_of)
def test_the_event_answers_exactly_as_the_standard_library(question):
    def main():
        scheduler = running_scheduler("main")
        lookup = scheduler.reactor.lookup(*question)
        scheduler.wait(lookup)
        return outcome(lookup.outcome)

    assert trueasync.run(main) == outcome(socket.getaddrinfo, *question)


def test_it_takes_its_arguments_by_name():
    answer = trueasync.run(
        getaddrinfo, host="127.0.0.1", port=80, family=0, type=socket.SOCK_DGRAM, proto=0, flags=0
    )

    assert answer == socket.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_DGRAM)


def test_an_address_in_numbers_costs_no_wait():
    def main():
        before = trueasync.stats()["switches"]
        getaddrinfo("127.0.0.1", 80)
        getaddrinfo("::1", "443")
        return trueasync.stats()["switches"] - before

    assert trueasync.run(main) == 0


def test_the_others_go_on_meanwhile():
    def main():
        ran = []
        trueasync.spawn(ran.append, True)
        getaddrinfo("localhost", 80)
        return ran

    assert trueasync.run(main) == [True]


def test_many_at_once_each_get_their_own_answer():
    def main():
        ports = range(1, 1001)
        lookups = [
            trueasync.spawn(getaddrinfo, "localhost", port, socket.AF_INET) for port in ports
        ]
        return [{found[4][1] for found in lookup.result()} for lookup in lookups]

    assert trueasync.run(main) == [{port} for port in range(1, 1001)]


def test_cancelled_beside_live_ones_it_disturbs_none():
    def main():
        lookups = [trueasync.spawn(getaddrinfo, "localhost", port) for port in range(1, 301)]
        trueasync.suspend()
        for lookup in lookups[::2]:
            lookup.cancel()
        for lookup in lookups[::2]:
            with pytest.raises(Cancelled):
                lookup.result()
        return [lookup.result()[0][4][1] for lookup in lookups[1::2]]

    assert trueasync.run(main) == list(range(2, 301, 2))
    assert lookup_module.crew.queued == 0


def test_the_error_of_one_nobody_waits_for_any_more_is_nobodys(unraisable):
    def main():
        lookup = trueasync.spawn(getaddrinfo, "nowhere.invalid", 80)
        trueasync.suspend()
        lookup.cancel()
        trueasync.suspend()
        with pytest.raises(socket.gaierror):
            getaddrinfo("elsewhere.invalid", 80)

    trueasync.run(main)

    assert unraisable == []


def test_outside_a_run_it_says_so():
    with pytest.raises(UsageError, match="getaddrinfo"):
        getaddrinfo("localhost", 80)


def test_in_virtual_time_a_test_answers():
    def main():
        lookup = trueasync.spawn(getaddrinfo, "example.org", 80)
        trueasync.suspend()
        running_scheduler("main").reactor.happen("lookup", ("example.org", 80), ["an answer"])
        return lookup.result()

    assert trueasync.testing.run(main) == ["an answer"]


@pytest.mark.parametrize("reactor_class", [VirtualReactor, None], ids=["virtual", "libuv"])
def test_it_says_what_it_waits_for(reactor_class):
    def main():
        lookup = trueasync.spawn(getaddrinfo, "localhost", 80)
        trueasync.suspend()
        waits_for = lookup.waits_for
        lookup.cancel()
        return waits_for[0]

    text = (trueasync.testing.run if reactor_class else trueasync.run)(main)

    assert "localhost" in text


# -- getnameinfo ---------------------------------------------------------------------------

NAMELESS = [
    (("127.0.0.1", 80), 0),
    (("::1", 443), 0),
    (("127.0.0.1", 80), socket.NI_NUMERICHOST),
    (("127.0.0.1", 80), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV),
    (("::1", 80, 0, 0), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV),
    (("127.0.0.1", 53), socket.NI_DGRAM),
    (("203.0.113.1", 80), socket.NI_NAMEREQD),
    (("nowhere.invalid", 80), 0),
    (("127.0.0.1", 80), 1 << 20),
    (("127.0.0.1",), 0),
    (("127.0.0.1", "80"), 0),
    ("127.0.0.1", 0),
    (("127.0.0.1", -1), socket.NI_NUMERICHOST),
    (("127.0.0.1", 1 << 20), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV),
]


@pytest.mark.parametrize("question", NAMELESS, ids=name_of)
def test_names_of_addresses_are_exactly_those_of_the_standard_library(question):
    expected = outcome(socket.getnameinfo, *question)

    assert trueasync.run(outcome, getnameinfo, *question) == expected


def test_a_name_may_be_looked_up_in_virtual_time():
    def main():
        lookup = trueasync.spawn(getnameinfo, ("192.0.2.1", 80), 0)
        trueasync.suspend()
        reactor = running_scheduler("main").reactor
        reactor.happen("reverse_lookup", ("192.0.2.1", 80), ("a.test", "http"))
        return lookup.result()

    assert trueasync.testing.run(main) == ("a.test", "http")


# -- a resolver that does not answer ---------------------------------------------------------

SILENT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    int in_numbers = hints && hints->ai_flags & AI_NUMERICHOST;
    if (host && strstr(host, "silent") && !in_numbers)
        for (;;) pause();
    if (!real) real = dlsym(RTLD_NEXT, "getaddrinfo");
    return real(host, service, hints, found);
}
"""


@pytest.fixture
def silent(python, tmp_path):
    """Run a script whose resolver never answers for names with "silent" in them."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    source, library = tmp_path / "silent.c", tmp_path / "silent.so"
    source.write_text(SILENT)
    command = [compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"]
    subprocess.run(command, check=True)

    def start(script):
        return python(script, LD_PRELOAD=str(library), timeout=30)

    return start


def test_a_dead_lookup_can_be_cancelled_and_holds_up_nobody(silent):
    ended = silent(
        """
import trueasync
from trueasync import getaddrinfo

def main():
    dead = [trueasync.spawn(getaddrinfo, f"{n}.silent.invalid", 80) for n in range(20)]
    trueasync.sleep(0.05)
    print(getaddrinfo("localhost", 80)[0][4][1])
    for lookup in dead:
        lookup.cancel()
    for lookup in dead:
        try:
            lookup.result()
        except trueasync.Cancelled:
            pass
    print("cancelled", trueasync.stats()["active_events"])

trueasync.run(main)
print("over")
"""
    )

    assert (ended.stdout, ended.stderr) == ("80\ncancelled 0\nover\n", "")
    assert ended.returncode == 0


def test_ctrl_c_ends_a_program_whose_lookup_is_dead(silent):
    ended = silent(
        """
import os, signal, trueasync

def main():
    trueasync.spawn(lambda: (trueasync.sleep(0.05), os.kill(os.getpid(), signal.SIGINT)))
    trueasync.getaddrinfo("silent.invalid", 80)

try:
    trueasync.run(main)
except KeyboardInterrupt:
    print("interrupted")
"""
    )

    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


def test_more_dead_lookups_than_threads_wait_and_can_be_cancelled_in_the_queue(silent):
    ended = silent(
        """
import trueasync
from trueasync.reactor.lookup import MOST_LOOKUPS, crew

def main():
    dead = [trueasync.spawn(trueasync.getaddrinfo, f"{n}.silent.invalid", 80) for n in range(50)]
    while crew.queued != len(dead) - MOST_LOOKUPS:
        trueasync.sleep(0.001)
    print(crew.queued)
    for lookup in dead:
        lookup.cancel()
    trueasync.sleep(0.01)
    print(crew.queued, crew.busy == MOST_LOOKUPS)

trueasync.run(main)
"""
    )

    assert (ended.stdout, ended.stderr) == ("18\n0 True\n", "")

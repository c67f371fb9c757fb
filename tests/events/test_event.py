"""Event: started and stopped by count, fired once, replayed to whoever asks later."""

import pytest

from trueasync.events.event import Event, Listener


class Recorded(Event):
    """Writes down when it is armed and disarmed."""

    def __init__(self):
        self.calls = []

    def arm(self):
        self.calls.append("arm")

    def disarm(self):
        self.calls.append("disarm")


class Told(Listener):
    def __init__(self, heard=None):
        self.heard = [] if heard is None else heard

    def notify(self, event):
        self.heard.append(event)
        return True


def test_only_the_first_start_arms():
    event = Recorded()

    event.start()
    event.start()

    assert event.calls == ["arm"]
    assert event.starts == 2


def test_only_the_last_stop_disarms():
    event = Recorded()
    event.start()
    event.start()

    event.stop()
    assert event.calls == ["arm"]
    event.stop()

    assert event.calls == ["arm", "disarm"]


def test_more_stops_than_starts_do_nothing():
    event = Recorded()
    event.start()

    event.stop()
    event.stop()
    event.stop()

    assert event.calls == ["arm", "disarm"]
    assert event.starts == 0


def test_a_stop_too_many_does_not_eat_the_next_start():
    event = Recorded()
    event.stop()

    event.start()

    assert event.calls == ["arm"]
    assert event.starts == 1


def test_an_event_may_be_started_again_after_it_was_stopped():
    event = Recorded()

    for _ in range(3):
        event.start()
        event.stop()

    assert event.calls == ["arm", "disarm"] * 3


def test_firing_disarms_once_and_later_stops_do_not_disarm_again():
    event = Recorded()
    event.start()
    event.start()

    event.fire()
    event.stop()
    event.stop()

    assert event.calls == ["arm", "disarm"]


def test_a_fired_event_is_not_armed_by_a_start():
    event = Recorded()
    event.fire()

    event.start()
    event.stop()

    assert event.calls == []


def test_firing_an_event_that_was_never_started_disarms_nothing():
    event = Recorded()

    event.fire()

    assert event.calls == []


def test_an_event_fires_once():
    event = Event()

    assert event.fire("first") is True
    assert event.fire("second") is False

    assert event.outcome() == "first"


def test_a_value_fired_after_an_error_does_not_replace_it():
    event = Event()

    event.fire(None, KeyError("first"))
    event.fire("second")

    with pytest.raises(KeyError, match="first"):
        event.outcome()


def test_a_fired_event_replays_its_value_to_whoever_asks():
    event = Event()

    event.fire("value")

    assert [event.outcome(), event.outcome()] == ["value", "value"]


def test_a_fired_event_replays_its_error_to_whoever_asks():
    event = Event()

    event.fire(None, ValueError("the error"))

    for _ in range(2):
        with pytest.raises(ValueError, match="the error"):
            event.outcome()


def test_a_listener_that_comes_late_is_told_at_once():
    event = Event()
    late = Told()
    event.fire()

    event.add_listener(late)

    assert late.heard == [event]


def test_hide_marks_the_event():
    event = Event()

    event.hide()

    assert event.hidden


def test_hide_is_refused_once_the_event_is_started():
    event = Event()
    event.start()

    with pytest.raises(RuntimeError, match="hide it before"):
        event.hide()


def test_hide_is_possible_again_after_the_last_stop():
    event = Event()
    event.start()
    event.stop()

    event.hide()

    assert event.hidden


def test_info_says_in_words_what_it_is():
    class Doorbell(Event):
        pass

    assert Doorbell().info() == "doorbell"


def test_an_event_that_fails_to_arm_can_be_stopped():
    class Broken(Recorded):
        def arm(self):
            super().arm()
            raise OSError("no such device")

    event = Broken()
    with pytest.raises(OSError, match="no such device"):
        event.start()

    event.stop()

    assert event.starts == 0


def test_an_event_whose_disarm_fails_still_tells_its_listeners():
    class Broken(Event):
        def disarm(self):
            raise OSError("no such device")

    event, told = Broken(), Told()
    event.start()
    event.add_listener(told)

    with pytest.raises(OSError, match="no such device"):
        event.fire()

    assert told.heard == [event]

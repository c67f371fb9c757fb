"""Changes: one for each path, and whoever replays them has the same files in the end."""

from hypothesis import given
from hypothesis import strategies as st

from trueasync.events.change import Change
from trueasync.io.changes import AllChanges, Changes

NAMES = ["a", "b", "c"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["write", "remove", "take"]), st.sampled_from(NAMES)),
        st.tuples(st.just("move"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    )
)


class Files:
    """Which files there are, each with the number of its last writing."""

    def __init__(self):
        self.now = {}
        self.writings = 0

    def do(self, what, name, other=None):
        """The changes that the system would tell of a step; none if it is not possible."""
        if what == "write":
            self.writings += 1
            kind = "changed" if name in self.now else "created"
            self.now[name] = self.writings
            return [Change(kind, name)]
        if name not in self.now or name == other:
            return []
        content = self.now.pop(name)
        if what == "remove":
            return [Change("deleted", name)]
        self.now[other] = content
        return [Change("renamed", other, name)]


class Copy:
    """What somebody knows of the files who only hears of changes, and then looks."""

    def __init__(self):
        self.names = set()
        self.stale = set()  # what must be read again

    def hear(self, change):
        kind, path, old_path = change
        if kind == "renamed":
            assert old_path in self.names
            self.names.discard(old_path)
            self.stale.discard(old_path)
            self.stale.add(path)
            self.names.add(path)
        elif kind == "deleted":
            assert path in self.names
            self.names.discard(path)
            self.stale.discard(path)
        else:
            assert (path in self.names) == (kind == "changed")
            self.names.add(path)
            self.stale.add(path)


def filled(*changes):
    store = Changes()
    for change in changes:
        store.add(Change(*change))
    return store


def emptied(store):
    return [store.pop() for _ in range(len(store))]


@given(STEPS)
def test_who_replays_them_knows_the_same_files_as_there_are(steps):
    files, store, copy = Files(), Changes(), Copy()
    for step in steps:
        if step[0] == "take":
            if len(store):
                copy.hear(store.pop())
        else:
            for change in files.do(*step):
                store.add(change)
    for change in emptied(store):
        copy.hear(change)

    assert copy.names == set(files.now)
    assert copy.stale == set(files.now)  # nothing was read yet, so all that is there is news


@given(STEPS)
def test_without_renames_there_is_one_for_each_path_at_most(steps):
    files, store = Files(), Changes()
    for step in steps:
        if step[0] in ("write", "remove"):
            for change in files.do(*step):
                store.add(change)

    told = [change.path for change in emptied(store)]
    assert len(told) == len(set(told))


def test_what_came_and_went_is_nothing():
    assert emptied(filled(("created", "a"), ("changed", "a"), ("deleted", "a"))) == []


def test_what_was_removed_and_made_again_has_changed():
    assert emptied(filled(("deleted", "a"), ("created", "a"))) == [("changed", "a", None)]


def test_they_keep_the_order_in_which_they_began():
    store = filled(("created", "a"), ("deleted", "b"), ("changed", "a"), ("changed", "c"))

    assert [change.path for change in emptied(store)] == ["a", "b", "c"]


def test_nothing_is_merged_across_a_rename():
    store = filled(("created", "d/x"), ("renamed", "e", "d"), ("created", "d"), ("created", "d/x"))

    assert [change[:2] for change in emptied(store)] == [
        ("created", "d/x"),
        ("renamed", "e"),
        ("created", "d"),
        ("created", "d/x"),
    ]


def test_what_was_taken_is_not_changed_any_more():
    store = filled(("created", "a"))
    store.pop()
    store.add(Change("deleted", "a"))

    assert emptied(store) == [("deleted", "a", None)]


def test_all_of_them_are_kept_where_nothing_is_to_be_merged():
    store = AllChanges()
    for kind in ("created", "changed", "changed", "deleted"):
        store.add(Change(kind, "a"))

    assert [change.kind for change in emptied(store)] == [
        "created",
        "changed",
        "changed",
        "deleted",
    ]

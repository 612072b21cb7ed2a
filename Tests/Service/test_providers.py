"""Another Secret Service than gnome-keyring: plain sessions, prompts, slow answers, half-done work (section 8)."""

import time

import pytest

from kit.acts import CANARY, RIGHT, WRONG, turn_off, turn_on
from kit.client import Failure
from kit.loop import settle, wait_until
from kit.objects import refused
from kit.secretservice import PASSWORDS, FakeSecretService

NO_SPACE = "org.freedesktop.DBus.Error.Failed"


@pytest.fixture
def provider(world):
    world.start_bus()
    world.start_logind()
    made = FakeSecretService(world.bus.address)
    yield made
    made.end()


@pytest.fixture
def app(world, provider):
    world.start_service()
    client = world.client()
    return world.app("org.example.App", client)


def test_the_flows_work_with_it(world, provider, app):
    turn_on(app)
    assert len(provider.items) == 1
    app.set_passcode(RIGHT, "1111")
    assert len(provider.items) == 1
    app.lock()
    assert app.outcome(WRONG) == "wrong"
    assert app.outcome("1111") == "accepted"
    world.restart_service()
    app = world.app("org.example.App")
    assert app.verify("1111") is True
    turn_off(app, "1111")
    assert provider.items == {}


def test_newlines_and_attributes(provider, app):
    turn_on(app)
    ((attributes, secret),) = provider.items.values()
    assert b"\n" not in secret and len(attributes) <= 3


def test_a_store_that_failed_and_stored_all_the_same(provider, app):
    provider.fail_after["CreateItem"] = NO_SPACE
    try:
        app.set_passcode("", RIGHT)
        on = True
    except Failure as failure:
        assert failure.short == "StoreUnavailable"
        on = False
    provider.fail_after.clear()
    if on:
        assert app.get("HasPasscode") is True and app.verify(RIGHT) is True
    else:
        app.set_passcode("", RIGHT)
        assert app.verify(RIGHT) is True
    wait_until(lambda: len(provider.items) == 1, 5)


def test_a_store_that_says_yes_and_stores_nothing(provider, app):
    provider.ignore.add("CreateItem")
    start = app.client.mark()
    refused("StoreUnavailable", app.set_passcode, "", RIGHT)
    assert not app.client.signals("PasscodeTurnedOn", since=start)
    provider.ignore.clear()
    assert app.get("HasPasscode") is False or app.get("StoreState") == "unavailable"
    app.set_passcode("", RIGHT)
    assert app.verify(RIGHT) is True


def test_a_change_that_cannot_be_stored_leaves_the_old_one(provider, app):
    turn_on(app)
    for fault in ("fail", "ignore"):
        if fault == "fail":
            provider.fail["CreateItem"] = NO_SPACE
        else:
            provider.ignore.add("CreateItem")
        refused("StoreUnavailable", app.set_passcode, RIGHT, "1111")
        provider.fail.clear()
        provider.ignore.clear()
        assert app.verify(RIGHT) is True
        assert app.get("StoreState") == "ready"
    app.set_passcode(RIGHT, "1111")
    assert app.verify("1111") is True


@pytest.mark.parametrize("fault", ["fail", "ignore"])
def test_an_item_that_cannot_be_deleted_stays_a_lock(world, provider, app, fault):
    turn_on(app)
    if fault == "fail":
        provider.fail["Delete"] = NO_SPACE
    else:
        provider.ignore.add("Delete")
    start = app.client.mark()
    refused("StoreUnavailable", app.clear_passcode, RIGHT)
    assert not app.client.signals("PasscodeTurnedOff", since=start)
    assert app.get("HasPasscode") is True
    provider.fail.clear()
    provider.ignore.clear()
    world.restart_service()
    app = world.app("org.example.App")
    assert app.get("HasPasscode") is True and app.verify(RIGHT) is True
    app.clear_passcode(RIGHT)
    assert provider.items == {}


def test_slow_but_in_time(provider, app):
    turn_on(app)
    provider.delay = 1.0
    assert app.verify(RIGHT) is True


def test_too_slow(provider, app):
    turn_on(app)
    provider.delay = 8.0
    began = time.monotonic()
    refused("StoreUnavailable", app.verify, RIGHT)
    assert time.monotonic() - began < 6
    provider.delay = 0.0

    def again():
        try:
            return app.verify(RIGHT)
        except Failure as failure:
            assert failure.short == "StoreUnavailable"

    wait_until(again, 12)


@pytest.mark.parametrize("member", ["SearchItems", "GetSecrets"])
def test_errors_are_unavailable_and_never_unset(world, provider, app, member):
    turn_on(app)
    provider.fail[member] = NO_SPACE
    if member == "GetSecrets":
        provider.fail["GetSecret"] = NO_SPACE
    refused("StoreUnavailable", app.verify, RIGHT)
    world.restart_service()
    app = world.app("org.example.App")
    assert app.get("HasPasscode") is True and app.get("StoreState") == "unavailable"
    refused("StoreUnavailable", app.set_passcode, "", "1111")
    provider.fail.clear()
    assert app.verify(RIGHT) is True


def test_no_default_collection_is_unavailable(provider, app):
    provider.alias = "/"
    refused("StoreUnavailable", app.set_passcode, "", RIGHT)
    provider.alias = PASSWORDS

    def again():
        try:
            return app.set_passcode("", RIGHT) is None
        except Failure as failure:
            # An answer from before may still be on its way.
            assert failure.short == "StoreUnavailable"

    wait_until(again, 6)
    assert app.verify(RIGHT) is True


def turn_on_locked(app):
    """`twice` against a locked collection, up to the entry that would be stored."""
    app.present("twice", ui="none")
    app.submit(RIGHT)
    return app.start("SubmitPasscode", "s", RIGHT)


def test_turning_on_asks_the_provider_to_unlock(provider, app):
    provider.locked = True
    pending = turn_on_locked(app)
    wait_until(lambda: provider.asked, 6, "a prompt")
    provider.complete()
    try:
        outcome = pending.wait(6)[0]
    except Failure as failure:
        assert failure.short == "StoreUnavailable"
        outcome = None
    if outcome is None:
        while app.outcome(RIGHT) == "next":
            pass
    assert app.get("StoreState") == "ready" and app.verify(RIGHT) is True


def test_a_dismissed_prompt(provider, app):
    provider.locked = True
    pending = turn_on_locked(app)
    wait_until(lambda: provider.asked, 6, "a prompt")
    provider.complete(dismissed=True)
    refused("StoreUnavailable", pending.wait, 7)
    assert app.authenticated is False and provider.items == {}


def test_no_prompt_while_a_cover_is_up(world, provider, app):
    session = turn_on(world.session(app.client))
    session.lock()
    provider.locked = True
    asked = len(provider.asked)
    for call in ((session.submit, RIGHT), (app.set_passcode, "", RIGHT)):
        refused("StoreUnavailable", *call)
    settle(0.5)
    assert len(provider.asked) == asked
    provider.complete()
    session.client.sync()

    def unlock():
        try:
            return session.outcome(RIGHT) == "accepted"
        except Failure as failure:
            assert failure.short == "StoreUnavailable"

    wait_until(unlock, 8)


def test_the_first_start_asks_to_unlock(world, provider):
    world.start_service()
    session = turn_on(world.session())
    world.kill_service()
    provider.locked = True
    asked = len(provider.asked)
    world.start_service()
    wait_until(lambda: len(provider.asked) > asked, 6, "a prompt")
    session = world.session()
    assert session.get("StoreState") == "unavailable" and session.get("HasPasscode") is True
    provider.complete()
    wait_until(lambda: session.get("StoreState") == "ready", 6)


def test_secrets_do_not_leave_as_text(provider, app):
    turn_on(app, CANARY, digits=len(CANARY))
    for name, arguments in provider.calls:
        assert CANARY not in str(arguments), name

"""The faults of a soak: one method per kind. Each ends by itself after a moment."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from guests import Guest
from link import Link
from throwaway import Throwaway


@dataclass
class LinkedServer:
    """A server, and the link that guests reach it by."""

    server: Throwaway
    link: Link

    def mend_link(self) -> None:
        """Ends the faults of the link."""
        self.link.down = False
        self.link.delay = 0
        self.link.held.clear()


class Faults:
    """Injects random faults into the guests and their servers."""

    def __init__(self, guests: list[Guest], servers: list[LinkedServer], chance: random.Random) -> None:
        self.guests = guests
        self.servers = servers
        self.chance = chance
        self.kinds: dict[str, Callable[[], str]] = {
            "kill -9": self.kill,
            "freeze": self.freeze,
            "fork": self.fork,
            "restart": self.restart,
            "link": self.trouble_link,
            "clock step": self.step_clock,
            "server freeze": self.freeze_server,
            "server kill -9": self.kill_server,
        }
        self.done = Counter(dict.fromkeys(self.kinds, 0))
        self.deck: list[str] = []
        self.thaws: list[tuple[float, Guest]] = []

    def next(self) -> str:
        """Injects the next fault; every kind is equally frequent. Returns a description."""
        if not self.deck:
            self.deck = sorted(self.kinds)
            self.chance.shuffle(self.deck)
        kind = self.deck.pop()
        done = self.kinds[kind]()
        self.done[kind] += 1
        return f"{kind}: {done}"

    def thaw(self, all_of_them: bool = False) -> None:
        """Continues the frozen guests whose time is over."""
        now = time.monotonic()
        for thaw in list(self.thaws):
            if all_of_them or thaw[0] <= now:
                self.thaws.remove(thaw)
                thaw[1].thaw()

    def guest(self, fits: Callable[[Guest], bool] = lambda _: True) -> Guest:
        """Draws a guest that is not frozen."""
        return self.chance.choice([guest for guest in self.guests if guest.running and fits(guest)])

    def kill(self) -> str:
        guest = self.guest()
        guest.crash()
        time.sleep(self.chance.choice((0, 0, 0.5)))
        guest.start()
        return guest.name

    def freeze(self) -> str:
        guest = self.guest()
        # Sometimes longer than their lease lasts.
        seconds = self.chance.choice((0.2, 2, 5, 12, 25))
        guest.freeze()
        self.thaws.append((time.monotonic() + seconds, guest))
        return f"{guest.name} for {seconds} s"

    def fork(self) -> str:
        # Before it mints it has no handler, and the signal would end it.
        guest = self.guest(lambda guest: guest.language == "Python" and guest.mints())
        guest.process.send_signal(signal.SIGUSR1)
        return guest.name

    def restart(self) -> str:
        guest = self.guest()
        guest.end()
        guest.start()
        return guest.name

    def trouble_link(self) -> str:
        seconds = self.chance.choice((0.1, 1, 3))
        trouble = self.chance.choice(("cut", "down", "held", "slow"))
        linked = self.chance.choice(self.servers)
        name, link = linked.server.name, linked.link
        if trouble == "cut":
            return f"{link.cut()} connections to {name} cut"
        if trouble == "down":
            link.down = True
            link.cut()
        elif trouble == "held":
            link.held.set()
        else:
            link.delay = self.chance.choice((0.01, 0.1, 0.4))
        threading.Timer(seconds, linked.mend_link).start()
        return f"{trouble} to {name} for {seconds} s"

    def step_clock(self) -> str:
        guest = self.guest(lambda guest: guest.clock is not None)
        assert guest.clock
        step = self.chance.choice((0.001, 0.05, 3, 60, 3600)) * self.chance.choice((-1, 1))
        # Steps are relative to the true time, so that they do not add up to a day.
        guest.clock.set(step)
        return f"{guest.name} to {step:+} s"

    def freeze_server(self) -> str:
        seconds = self.chance.choice((0.2, 1, 4))
        server = self.chance.choice(self.servers).server
        server.freeze()
        time.sleep(seconds)
        server.thaw()
        return f"{server.name} for {seconds} s"

    def kill_server(self) -> str:
        server = self.chance.choice(self.servers).server
        server.kill()
        seconds = self.chance.choice((0, 0.5, 2))
        time.sleep(seconds)
        server.start()
        return f"{server.name} down for {seconds} s and its own start"

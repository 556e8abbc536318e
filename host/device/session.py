"""Commands that are obeyed even if the device is disconnected or reset in the middle of them.

A session has its own record of the game on the device. After a disconnection or a reset it sets the
game up again as it was before the command, and repeats the command: in the resulting game it has
been obeyed exactly once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from loopline.game import Turn
from loopline.game.wire import (
    COMMANDS,
    LEAST_BIT_CYCLES,
    MAGIC,
    Command,
    ErrorCode,
    RuleFlag,
    most_bit_cycles,
)
from loopline.host.contest.link import ContestDevice
from loopline.host.device.answers import Answer, GameState, Identity
from loopline.host.device.endpoint import DeviceEndpoint, HasRate
from loopline.host.device.errors import (
    AnswerError,
    ContestOnlyError,
    RefusedError,
    WrongDeviceError,
)
from loopline.host.device.exchange import Exchange, Timeouts
from loopline.host.errors import (
    DeviceError,
    DeviceFloodError,
    DeviceGoneError,
    DeviceSilentError,
    DeviceTalkError,
    UsageError,
)
from loopline.host.transport.transport import Transport

__all__ = ["TURNS_IN_NEW_GAME", "TURNS_IN_PLAY", "Game", "Session", "bit_cycles", "greet"]

TURNS_IN_NEW_GAME: Final = COMMANDS[Command.NEW_GAME].most
TURNS_IN_PLAY: Final = COMMANDS[Command.PLAY].most

_TRIES: Final = 5

_WORST_RATE: Final = 0.02
"""The most relative difference of two rates; at 0.05 the last bit of a byte is missed."""


@dataclass
class Game:
    """The game on a device: its rules, as ``NEW_GAME`` has them, and its turns."""

    area: int
    rules: RuleFlag
    turns: list[Turn] = field(default_factory=list)


class Session:
    """A connection to a device whose identity was checked.

    Parameters
    ----------
    endpoint : DeviceEndpoint
        The device.
    timeouts : Timeouts or None
        The seconds to wait; None: those of the endpoint.
    back_within : float
        The seconds that a device may take to come back after a disconnection; 0: it may not.

    Attributes
    ----------
    identity : Identity
        The identity of the device.
    game : Game or None
        The game that was begun here, or None.
    mended : int
        How often the game was set up again.
    """

    def __init__(
        self, endpoint: DeviceEndpoint, timeouts: Timeouts | None = None, back_within: float = 10.0
    ) -> None:
        self.game: Game | None = None
        self.mended = 0
        self._endpoint = endpoint
        self._timeouts = timeouts or endpoint.timeouts
        self._greeting = timeouts or endpoint.greeting
        self._back_within = back_within if endpoint.comes_back else 0.0
        self._closed = threading.Event()
        self._transport: Transport = endpoint.connect()
        self._first_rate = self._rate
        try:
            self.identity = self._greet()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the device in messages."""
        return self._transport.path

    def close(self) -> None:
        """Close the connection. May be called twice, and by another thread than a command's."""
        self._closed.set()
        self._transport.close()

    def obey(
        self,
        command: Command,
        payload: bytes = b"",
        *,
        on_item: Callable[[list[Answer]], None] | None = None,
        stopping: Callable[[], bool] | None = None,
        deadline: float | None = None,
    ) -> tuple[list[Answer], Answer]:
        """Have a command obeyed, as :meth:`Exchange.ask` does, and mend what can be mended."""
        trouble: DeviceError | None = None
        for _ in range(_TRIES):
            if isinstance(trouble, DeviceGoneError):
                self._transport.close()
                self._transport = self._endpoint.connect_again(
                    self._back_within, trouble, self._closed
                )
                if self._closed.is_set():  # Perhaps before the transport was there to be closed.
                    self._transport.close()
                    raise trouble
            try:
                if trouble:
                    self._mend(trouble)
                return self._exchange.ask(
                    command, payload, on_item=on_item, stopping=stopping, deadline=deadline
                )
            except (DeviceGoneError, DeviceSilentError, RefusedError) as error:
                if not self._can_mend(error):
                    raise self._remarked(error) from error
                trouble = error
            except DeviceTalkError as error:
                raise self._remarked(error) from error
        assert trouble is not None
        raise trouble

    def set_up(self) -> None:
        """Begin the game of the record on the device, and make all its turns.

        Raises :exc:`AnswerError` if the device does not accept them all.
        """
        if self.game is None:
            return
        self.mended += 1
        turns = self.game.turns
        payload = COMMANDS[Command.NEW_GAME].pack(
            area=self.game.area, rules=self.game.rules, turns=turns[:TURNS_IN_NEW_GAME]
        )
        _, state = self._exchange.ask(Command.NEW_GAME, payload)
        for start in range(TURNS_IN_NEW_GAME, len(turns), TURNS_IN_PLAY):
            payload = COMMANDS[Command.PLAY].pack(turns=turns[start : start + TURNS_IN_PLAY])
            _, state = self._exchange.ask(Command.PLAY, payload)
        assert isinstance(state, GameState)
        if state.turns != len(turns):
            raise AnswerError(
                f"{self.name} accepts {state.turns} of the {len(turns)} turns of its own game"
            )

    def change_rate(self, baud: int) -> float:
        """Change the rate; see :meth:`Device.set_baud`."""
        before = self._rate
        cycles, rate = bit_cycles(self.name, self.identity, baud)
        payload = COMMANDS[Command.SET_BAUD].pack(bit_cycles=cycles)
        # The answer may be lost although the rate has changed.
        with suppress(DeviceSilentError, DeviceTalkError):
            self._exchange.ask(Command.SET_BAUD, payload, timeouts=self._greeting)
        try:
            self._set_rate(baud)
            self.identity = greet(self._exchange, self._transport, self._greeting)
            if self.identity.bit_cycles != cycles:
                # A pseudo-terminal carries bytes at any rate.
                raise DeviceSilentError(f"{self.name} has not changed its rate")
        except (DeviceSilentError, WrongDeviceError) as error:
            # The device sets the rate before again, after a second by its own clock.
            self._set_rate(before)
            self.identity = greet(self._exchange, self._transport, self._timeouts)
            raise DeviceSilentError(
                f"{self.name} does not answer at {baud} baud; it does at the rate before"
            ) from error
        return rate

    def ask_who(self) -> Identity:
        """Ask the device for its identity again."""
        _, identity = self.obey(Command.IDENTIFY)
        assert isinstance(identity, Identity)
        return identity

    @property
    def _rate(self) -> int:
        return self._transport.baud if isinstance(self._transport, HasRate) else 0

    def _set_rate(self, baud: int) -> None:
        if isinstance(self._transport, HasRate):
            self._transport.set_baud(baud)

    def _greet(self) -> Identity:
        self._exchange = Exchange(self._transport, self._timeouts)
        try:
            return greet(self._exchange, self._transport, self._greeting)
        except (DeviceGoneError, DeviceSilentError) as error:
            raise self._remarked(error) from error

    def _can_mend(self, error: DeviceError) -> bool:
        if isinstance(error, DeviceGoneError):
            return self._back_within > 0 and not self._closed.is_set()
        if isinstance(error, RefusedError):
            # A reset has lost the game, or another host has left its game or its search there.
            lost = error.code in (ErrorCode.NO_GAME, ErrorCode.BUSY)
            return lost and self.game is not None
        # After a reset its rate is the first one again.
        return self._rate != self._first_rate

    def _mend(self, error: DeviceError) -> None:
        """Restore the state before the command, of a device that is there. Raises as :meth:`obey`
        does."""
        if isinstance(error, DeviceSilentError):
            self._set_rate(self._first_rate)
        if not isinstance(error, RefusedError):
            identity = self._greet()
            if replace(identity, bit_cycles=0) != replace(self.identity, bit_cycles=0):
                raise WrongDeviceError(
                    f"{self.name} has gone, and another device has come in its place: "
                    f"{identity.name} {identity.commit}"
                )
            self.identity = identity
        self.set_up()

    def _remarked(self, error: DeviceError) -> DeviceError:
        """Return the error with what the transport knows of the far end added."""
        plain = (DeviceGoneError, DeviceSilentError, DeviceTalkError, AnswerError, DeviceFloodError)
        remark = self._transport.remark() if type(error) in plain else ""
        return type(error)(f"{error}; {remark}") if remark else error


def greet(exchange: Exchange, transport: Transport, timeouts: Timeouts) -> Identity:
    """Return the identity of the far end. What it was doing goes on.

    Raises
    ------
    WrongDeviceError
        If the far end is something else; the text says what. A contest player's game is dropped.
    ProtocolVersionError
        If the far end speaks another version of the link.
    DeviceSilentError
        If there is no answer.
    """
    path = transport.path
    try:
        exchange.forget()
        _, identity = exchange.ask(Command.IDENTIFY, timeouts=timeouts)
    except DeviceFloodError as error:
        raise WrongDeviceError(f"{error}; it is no Trax device, or its rate is another") from error
    except AnswerError as error:
        raise WrongDeviceError(f"{error}; it is no Loopline") from error
    except DeviceTalkError as error:
        raise WrongDeviceError(str(error)) from error
    except DeviceSilentError as error:
        _try_contest(transport, timeouts.limit)
        said = exchange.noise[:16]
        if said:
            raise WrongDeviceError(
                f"{path} sends {said!r} and no frames: it is no Loopline, or its rate is another"
            ) from error
        raise DeviceSilentError(f"{error}: is it a Loopline, at this rate?") from error
    assert isinstance(identity, Identity)
    if identity.magic != MAGIC:
        raise WrongDeviceError(f"{path} calls itself {identity.magic!r}: it is no Loopline")
    return identity


def _try_contest(transport: Transport, seconds: float) -> None:
    """Ask by a contest line. Raises :exc:`WrongDeviceError` if the far end answers."""
    try:
        # This ends the line that a contest player has taken the frame for.
        transport.write(b"\n")
        code = ContestDevice(transport, seconds).identify()
    except DeviceTalkError as error:
        raise WrongDeviceError(f"{error}: it is no Loopline, or its rate is another") from error
    except DeviceSilentError:
        return
    raise ContestOnlyError(transport.path, code)


def bit_cycles(name: str, identity: Identity, baud: int) -> tuple[int, float]:
    """Return the clock cycles of a bit nearest to a rate, and their exact rate.

    ``name`` is for the error's text. Raises :exc:`UsageError` if the device has no number of cycles
    that is near enough.
    """
    clock = identity.clock
    built = round(clock / identity.baud) if identity.baud else 0
    slowest = most_bit_cycles(clock, built)
    least, most = round(clock / slowest), clock // LEAST_BIT_CYCLES
    cycles = min(round(clock / baud), slowest) if baud >= least else 0
    if cycles < LEAST_BIT_CYCLES:
        raise UsageError(f"{name} has rates from {least} to {most} baud, not {baud}")
    rate = clock / cycles
    if abs(rate - baud) > _WORST_RATE * baud:
        raise UsageError(f"{name} has no rate near {baud} baud: the next is {rate:.0f}")
    return cycles, rate

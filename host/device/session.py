"""Commands that are obeyed even if the device is pulled out, or reset, in the middle of them.

The game on the device is kept here, too: by the turns that were made. So whatever has become of the
device, the game can be set up there as it was before the command, and the command asked for again:
it is obeyed exactly once in the game that results.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from loopline.game import Turn
from loopline.game.wire import COMMANDS, Command, ErrorCode, RuleFlag
from loopline.host.device.answers import Answer, GameState, Identity
from loopline.host.device.endpoint import DeviceWay, HasRate
from loopline.host.device.errors import AnswerError, RefusedError, WrongDeviceError
from loopline.host.device.exchange import Exchange
from loopline.host.device.greeting import greet
from loopline.host.device.rates import bit_cycles
from loopline.host.device.timeouts import Patience
from loopline.host.errors import (
    DeviceError,
    DeviceFloodError,
    DeviceGoneError,
    DeviceSilentError,
    DeviceTalkError,
)
from loopline.host.transport.transport import Transport

__all__ = ["TURNS_IN_NEW_GAME", "TURNS_IN_PLAY", "Game", "Session"]

TURNS_IN_NEW_GAME: Final = COMMANDS[Command.NEW_GAME].most
TURNS_IN_PLAY: Final = COMMANDS[Command.PLAY].most

_TRIES: Final = 5


@dataclass
class Game:
    """The game on a device, by its rules as a command has them and by its turns."""

    area: int
    rules: RuleFlag
    turns: list[Turn] = field(default_factory=list)


class Session:
    """A device that was greeted.

    Parameters
    ----------
    way : DeviceWay
        The way to it.
    patience : Patience or None
        How long to wait; None: as the way says.
    back_within : float
        Seconds that a device may take to come back that was pulled out; 0: it may not.

    Attributes
    ----------
    identity : Identity
        Who it is.
    game : Game or None
        The game that was begun here; None before one was.
    mended : int
        How often the device was set up again.
    """

    def __init__(
        self, way: DeviceWay, patience: Patience | None = None, back_within: float = 10.0
    ) -> None:
        self.game: Game | None = None
        self.mended = 0
        self._way = way
        self._patience = patience or way.patience
        self._greeting = patience or way.greeting
        self._back_within = back_within if way.comes_back else 0.0
        self._transport: Transport = way.connect()
        self._first_rate = self._rate
        try:
            self.identity = self._greet()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """How to call the device in a message."""
        return self._transport.path

    def close(self) -> None:
        """Close the way to the device. Closing twice does nothing more."""
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
        """Have a command obeyed, as :meth:`Exchange.ask` does, with a device that may fail."""
        trouble: DeviceError | None = None
        for _ in range(_TRIES):
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
        """Begin the game of our record on the device, and make all its turns.

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
        """Go on at another rate; see :meth:`Device.set_baud`."""
        before = self._rate
        cycles, rate = bit_cycles(self.name, self.identity.clock, baud)
        payload = COMMANDS[Command.SET_BAUD].pack(bit_cycles=cycles)
        # The answer may be lost, and the rate have changed.
        with suppress(DeviceSilentError, DeviceTalkError):
            self._exchange.ask(Command.SET_BAUD, payload, patience=self._greeting)
        try:
            self._set_rate(baud)
            self.identity = greet(self._exchange, self._transport, self._greeting)
            if self.identity.bit_cycles != cycles:
                # A pseudo-terminal carries any rate.
                raise DeviceSilentError(f"{self.name} has not changed its rate")
        except (DeviceSilentError, WrongDeviceError) as error:
            # It goes back to the rate before by itself, after a second by its own clock.
            self._set_rate(before)
            self.identity = greet(self._exchange, self._transport, self._patience)
            raise DeviceSilentError(
                f"{self.name} does not answer at {baud} baud; it does at the rate before"
            ) from error
        return rate

    def ask_who(self) -> Identity:
        """Ask the device again who it is."""
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
        self._exchange = Exchange(self._transport, self._patience)
        try:
            return greet(self._exchange, self._transport, self._greeting)
        except (DeviceGoneError, DeviceSilentError) as error:
            raise self._remarked(error) from error

    def _can_mend(self, error: DeviceError) -> bool:
        if isinstance(error, DeviceGoneError):
            return self._back_within > 0
        if isinstance(error, RefusedError):
            # The device has lost its game, since somebody has pressed its reset button; or works on
            # another host's, or on a search that another host has left behind.
            lost = error.code in (ErrorCode.NO_GAME, ErrorCode.BUSY)
            return lost and self.game is not None
        # After a reset its rate is the first one again.
        return self._rate != self._first_rate

    def _mend(self, error: DeviceError) -> None:
        """Make the device what it was before the command. Raises as :meth:`obey` does."""
        if isinstance(error, DeviceGoneError):
            self._transport.close()
            self._transport = self._way.connect_again(self._back_within, error)
        elif isinstance(error, DeviceSilentError):
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
        """The error, with what else the transport knows of the far end."""
        plain = (DeviceGoneError, DeviceSilentError, DeviceTalkError, AnswerError, DeviceFloodError)
        remark = self._transport.remark() if type(error) in plain else ""
        return type(error)(f"{error}; {remark}") if remark else error

"""The framed link of a device: round trips and bytes per second, beside the rate's limit.

``loopline bench link --device /dev/ttyUSB1`` sends short and long commands, each as soon as the one
before is answered, and counts bytes with the device's own counters. It fails (exit status 1) if a
frame was damaged, lost or repeated.

At a rate of N baud a direction carries N / 10 bytes per second, and a round trip takes as long as
all its bytes. The simulated board keeps its own time, not the PC's: it may exceed the limit.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from loopline.game import parse_turn
from loopline.host.device import Counters, Device, Identity, open_device
from loopline.host.errors import UsageError
from loopline.tools.arguments import Parser, seconds, whole_number

_BITS = 10
"""Bits of a byte on the line, with start and stop bit."""

_FAULTS = (
    "frames_damaged",
    "frames_malformed",
    "frames_cut",
    "frames_lost",
    "repeats",
    "framing_errors",
    "overruns",
)

_NOT_MADE = parse_turn("@0\\")
"""Not a legal first turn: the device receives the turns after it and ignores them."""

_GAME = "@0+ B1+ A0/ A3/ @3/ @3+ B1+ @3+ E3+ D4\\ F2\\ G2\\ @3\\".split()


@dataclass(frozen=True)
class Rate:
    """The figures of one kind of command.

    Attributes
    ----------
    name : str
        The command.
    trips : float
        Round trips per second.
    down, up : float
        Bytes per second to the device, and from it.
    limit : float
        The round trips per second that the rate of the line allows.
    """

    name: str
    trips: float
    down: float
    up: float
    limit: float


def measure(device: Device, name: str, ask: Callable[[], object], seconds: float) -> Rate:
    """Call ``ask`` repeatedly for some seconds, and return the rate."""
    before = device.statistics()
    own = _between(before, device.statistics())
    before = device.statistics()
    begin, trips = time.monotonic(), 0
    while (passed := time.monotonic() - begin) < seconds:
        ask()
        trips += 1
    used = _between(before, device.statistics())
    down, up = used[0] - own[0], used[1] - own[1]
    baud = device.identity.clock / device.identity.bit_cycles
    limit = trips * baud / (_BITS * (down + up))
    return Rate(name, trips / passed, down / passed, up / passed, limit)


def _between(before: Counters, after: Counters) -> tuple[int, int]:
    """Return the bytes that were received and sent between two readings of the counters."""
    return (
        (after.bytes_received - before.bytes_received) % (1 << 32),
        (after.bytes_sent - before.bytes_sent) % (1 << 32),
    )


def run(device: Device, seconds: float) -> list[Rate]:
    """Measure every kind of command."""
    device.reset()
    rates = [
        measure(device, "identify", device.identify, seconds),
        measure(
            device,
            "63 turns down",
            lambda: device.new_game(turns=[_NOT_MADE] * 63),
            seconds,
        ),
    ]
    device.new_game(turns=_GAME)

    def there_and_back() -> None:
        device.take_back()
        device.play(_GAME[-1])

    rates.append(measure(device, "take back, play", there_and_back, seconds))
    rates.append(measure(device, "position up", device.position, seconds))
    rates.append(measure(device, "list up", device.candidates, seconds))
    return rates


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench link",
        description=__doc__,
        examples=["loopline bench link --device /dev/ttyUSB1 --seconds 10"],
    )
    parser.add_argument(
        "--device", default="sim", metavar="DEVICE", help="sim, engine or PORT (sim)"
    )
    parser.add_value(
        "--baud", whole_number(1, 10**8), "the rate to measure at", shown="the current one"
    )
    parser.add_value(
        "--seconds", seconds(0.1), "the time for each command", default=2.0, metavar="S", shown="2"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    return parser


def _print(device: str, identity: Identity, rates: Sequence[Rate]) -> None:
    baud = identity.clock / identity.bit_cycles
    limit = baud / _BITS
    print(f"{device}, {identity.name}: {baud:.0f} baud, {limit:.0f} bytes/s each way")
    print(f"{'':16}{'round trips/s':>14}{'limit':>9}{'bytes/s down':>14}{'up':>9}{'of limit':>10}")
    for rate in rates:
        share = 100 * rate.trips / rate.limit
        print(
            f"{rate.name:16}{rate.trips:14.1f}{rate.limit:9.1f}"
            f"{rate.down:14.0f}{rate.up:9.0f}{share:9.0f}%"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        # The simulated board is built for its rate.
        built = options.device == "sim" and options.baud is not None
        words = ("--baud", str(options.baud)) if built else ()
        change = options.baud is not None and not built
        with open_device(options.device, sim_arguments=words) as device:
            before = device.identity.clock // device.identity.bit_cycles
            if change:
                device.set_baud(options.baud)
            try:
                rates = run(device, options.seconds)
                counters = asdict(device.statistics())
                identity = device.identity
            finally:
                if change:
                    device.set_baud(before)
            faults = {name: counters[name] for name in _FAULTS if counters[name]}
            if options.json:
                rows = [asdict(rate) for rate in rates]
                print(json.dumps({"device": device.name, "rates": rows, "faults": faults}))
            else:
                _print(device.name, identity, rates)
    except UsageError as error:
        parser.error(str(error))
    for name, count in faults.items():
        print(f"fault: {count} {name.replace('_', ' ')}", file=sys.stderr)
    return 1 if faults else 0

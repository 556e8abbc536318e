"""Small designs of the benches' own: what sim needs of a design, and nothing of Trax."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

__all__ = ["Accumulator", "LineEcho"]


class LineEcho(wiring.Component):
    """A serial device that answers each line with the same line, after a fixed thinking time.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit.
    pause : int
        Clock cycles from the middle of the stop bit of LF to the answer's first start bit, less
        a few cycles.

    Members
    -------
    rx, tx : pins
    seed : In(15)
        Inverts bits of the answers' characters.
    idle : Out(1)
        High while no line is begun and no answer is under way.
    thinking : Out(1), move_now : In(1)
        The line that came last ends with ``!``; it is not answered until ``move_now``.
    """

    rx: In(1, init=1)
    tx: Out(1, init=1)
    seed: In(15)
    idle: Out(1)
    thinking: Out(1)
    move_now: In(1)

    def __init__(self, *, divisor: int, pause: int = 0) -> None:
        self.divisor = divisor
        self.pause = pause
        super().__init__()

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.store = store = memory.Memory(shape=8, depth=256, init=[])
        write, read = store.write_port(), store.read_port(domain="comb")
        filled, sent = Signal(8), Signal(8)
        lines_in, lines_out = Signal(8), Signal(8)
        wait = Signal(range(self.pause + 1))

        with m.If(wait != 0):
            m.d.sync += wait.eq(wait - 1)

        # In: sample the middle of each bit; a line is whole with its LF.
        rx = Signal(init=1)
        rx_timer, rx_bits, rx_data = Signal(range(2 * self.divisor)), Signal(4), Signal(8)
        last = Signal(8)
        m.d.sync += rx.eq(self.rx)
        m.d.comb += [write.addr.eq(filled), write.data.eq(rx_data)]
        with m.If(rx_bits == 0):
            first = self.divisor + self.divisor // 2 - 2
            m.d.sync += [rx_bits.eq(Mux(rx, 0, 9)), rx_timer.eq(first)]
        with m.Elif(rx_timer != 0):
            m.d.sync += rx_timer.eq(rx_timer - 1)
        with m.Else():
            m.d.sync += [rx_bits.eq(rx_bits - 1), rx_timer.eq(self.divisor - 1)]
            with m.If(rx_bits != 1):
                m.d.sync += rx_data.eq(Cat(rx_data[1:], rx))
            with m.Else():
                m.d.comb += write.en.eq(1)
                m.d.sync += [filled.eq(filled + 1), last.eq(rx_data)]
                with m.If(rx_data == ord("\n")):
                    m.d.sync += self.thinking.eq(last == ord("!"))
                    m.d.sync += [lines_in.eq(lines_in + 1), wait.eq(self.pause)]

        # Out: whole lines, after the pause.
        with m.If(self.move_now):
            m.d.sync += self.thinking.eq(0)
        tx_timer, tx_bits, tx_data = Signal(range(self.divisor)), Signal(4), Signal(9, init=0x1FF)
        m.d.comb += [self.tx.eq(tx_data[0]), read.addr.eq(sent)]
        with m.If(tx_timer != 0):
            m.d.sync += tx_timer.eq(tx_timer - 1)
        with m.Elif(tx_bits != 0):
            m.d.sync += [tx_timer.eq(self.divisor - 1), tx_bits.eq(tx_bits - 1)]
            m.d.sync += tx_data.eq(Cat(tx_data[1:], 1))
        with m.Elif((wait == 0) & ~self.thinking & (lines_in != lines_out)):
            m.d.sync += [tx_timer.eq(self.divisor - 1), tx_bits.eq(9)]
            m.d.sync += [tx_data.eq(Cat(0, read.data ^ self.seed[:8])), sent.eq(sent + 1)]
            m.d.sync += lines_out.eq(lines_out + (read.data == ord("\n")))
        m.d.comb += self.idle.eq((filled == sent) & (rx_bits == 0) & (tx_bits == 0))
        return m


class Accumulator(wiring.Component):
    """Adds each command's ``amount`` to its ``cell``; the outcome is the cell's old and new value.

    It takes one cycle more for each unit of ``delay``, and for the largest delay never answers.
    """

    commands: In(stream.Signature(data.StructLayout({"cell": 4, "amount": 50, "delay": 3})))
    outcomes: Out(
        stream.Signature(
            data.StructLayout({"old": 50, "values": data.StructLayout({"new": 50, "odd": 1})})
        )
    )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.cells = cells = memory.Memory(shape=50, depth=16, init=range(16))
        read, write = cells.read_port(domain="comb"), cells.write_port()
        command, outcome = self.commands.payload, self.outcomes.payload
        waited = Signal(3)
        free = ~self.outcomes.valid | self.outcomes.ready
        new = (read.data + command.amount)[:50]
        m.d.comb += [
            read.addr.eq(command.cell),
            write.addr.eq(command.cell),
            write.data.eq(new),
            self.commands.ready.eq(free & (waited == command.delay) & (command.delay != 7)),
        ]
        with m.If(self.outcomes.ready):
            m.d.sync += self.outcomes.valid.eq(0)
        with m.If(self.commands.valid):
            m.d.sync += waited.eq(Mux(waited == command.delay, waited, waited + 1))
            with m.If(self.commands.ready):
                m.d.comb += write.en.eq(1)
                m.d.sync += [
                    waited.eq(0),
                    self.outcomes.valid.eq(1),
                    outcome.old.eq(read.data),
                    outcome.values.new.eq(new),
                    outcome.values.odd.eq(new[0]),
                ]
        return m

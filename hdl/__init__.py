"""The gateware: everything between a board's serial pins. In the order of the data::

    rx ──► link ◄─ commands, answers ─► player ◄─ jobs, best turn ─► search
    tx ◄──  ▲                            ▲  │                          │
            │ frames, answers   requests │  └───────► arbiter ◄────────┘
            ▼                            │              ▲  │
          frames ◄───────────────────────┘              │  └──► core
            └───────────────────────────────────────────┘

- ``config``: the sizes of the turn unit's memories, from which most widths follow;
- ``design``: the configuration of a whole design; ``rate``: the serial line's rate in clock cycles;
- ``link``: UART, the lines of the contest protocol, and frames;
- ``frames``: obeys framed commands, and answers each of them;
- ``player``: sessions, whose turn, the clock, and a turn in time;
- ``search``: finds a turn;
- ``arbiter``: grants the turn unit to the player or to one of the framed commands;
- ``core``: the turn unit, which holds the position and makes and unmakes turns;
- ``evaluator``: its part that evaluates every candidate without making one;
- ``watchdog``: restarts all of these when they stand still;
- ``top``: all of these together, as :class:`~loopline.hdl.top.Loopline`.
"""

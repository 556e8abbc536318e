"""The gateware: everything between a board's serial pins. In the order of the data::

     rx ──► link ── commands ──► player ◄── jobs, best turn ──► search
     tx ◄──      ◄── answers ──    │                              │
                                   └─────────► core ◄─────────────┘
                                     (one at a time)

- ``config``: grid, clock and link; every width comes from here;
- ``link``: UART and the lines of the contest protocol;
- ``player``: sessions, whose turn, the clock, and a turn in time;
- ``search``: finds a turn;
- ``core``: the turn unit, which holds the position and makes and takes back turns;
- ``top``: all of these together, as :class:`~loopline.hdl.top.Loopline`.
"""

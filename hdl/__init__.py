"""The gateware: everything between a board's serial pins. In the order of the data::

    rx ──► link ◄─ commands, answers ─► player ◄─ jobs, best turn ─► search
    tx ◄──  ▲                            ▲  │                          │
            │ frames, answers            │  └────────► core ◄──────────┘
            ▼                            │              ▲  (one at a time)
        commander ◄── requests, results ─┘              │
         ▲     ▲                                        │ while it is lent
         │     └─ pieces ─── report, report_position, selftest
         └─ bytes ── answers

- ``config``: grid, clock and link; every width comes from here;
- ``link``: UART, the lines of the contest protocol, and frames;
- ``commander``: obeys frames, and answers each of them:

  - ``commander_steps``: what its states share;
  - ``commander_check``, ``commander_obey``, ``commander_answer``: its states, in the order in which
    a frame meets them;

- ``requests``: what it asks of the player, and what it is told;
- ``player``: sessions, whose turn, the clock, and a turn in time;
- ``search``: finds a turn;
- ``core``: the turn unit, which holds the position and makes and takes back turns;
- ``trials``: its part that judges every candidate turn without making one;
- ``report``, ``report_position``, ``selftest``: what frames ask about turns, position and turn
  unit, in pieces;
- ``answers``: the bytes of all other answers;
- ``watchdog``: restarts all of these when they have come to a standstill;
- ``top``: all of these together, as :class:`~loopline.hdl.top.Loopline`.
"""

"""Programs that measure or torture: each prints figures, and fails if what it sees is wrong.

::

    loopline bench NAME ─► __main__
       measure ──┬─► core              the evaluation of all candidates
                 ├─► turn-unit         turns made and unmade, and perft
                 ├─► games             whole games over the serial port
                 ├─► link              round trips of the framed link
                 ├─► search            the engine: nodes, speed
                 ├─► tactics           the forced wins that it finds
                 ├─► ladder            its games with other players
                 └─► simulators        CXXRTL and Verilator, side by side
       torture ──┬─► random-positions  turns, evaluations and resets at random
                 ├─► mutations         planted faults, and what finds them
                 ├─► soak              games while everything fails
                 ├─► fuzz              anything at all through the pins
                 ├─► inject            flip-flops that change by themselves
                 └─► fuzz-host         the parsers of the host

A bench is the module of its name. ``sources`` names the commit that figures are of. ``software``
is what the gateware is compared with; ``makers`` are programs that make files that others read.
"""

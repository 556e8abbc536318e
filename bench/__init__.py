"""Programs that measure the gateware, or try to break it.

Each prints figures, and fails if a result is wrong::

    loopline bench NAME ─► __main__
       measure ──┬─► core              the evaluation of all candidates
                 ├─► count             legal turns counted: evaluator, turn unit, engine
                 ├─► turn-unit         turns made and unmade, and perft
                 ├─► games             whole games over the serial port
                 ├─► link              round trips of the framed link
                 ├─► search            the engine: nodes, speed
                 ├─► lanes             the engine: several lanes against one
                 ├─► lane              the search in gateware against the engine
                 └─► tactics           the forced wins that it finds
       torture ──┬─► random-positions  turns, evaluations and resets at random
                 ├─► mutations         planted faults, and the tests that find them
                 ├─► soak              games while cable, board and host fail
                 ├─► fuzz              random input at the pins
                 ├─► inject            upsets of single flip-flops
                 └─► fuzz-host         the parsers of the host

Each bench is the module of its name. ``makers`` make the games of benches, and files for other
programs; ``workers`` spreads work over processes; ``interruption`` has what a bench does at Ctrl-C.
"""

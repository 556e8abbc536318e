"""Programs that measure: each prints figures, and fails if what it measures is wrong.

::

    loopline bench NAME ─► __main__ ─┬─► core              the evaluation of all candidate turns
                                     ├─► turn-unit         turns made and taken back, and perft
                                     ├─► random-positions  turns, trials and resets at random
                                     ├─► mutations         planted faults, and what finds them
                                     ├─► games             whole games over the serial port
                                     ├─► link              round trips of the framed link
                                     ├─► soak              games while everything fails
                                     ├─► fuzz              anything at all through the pins
                                     ├─► inject            flip-flops that change by themselves
                                     ├─► fuzz-host         the parsers of the host
                                     ├─► search            the search in software: nodes, speed
                                     ├─► tactics           the forced wins that it finds
                                     ├─► ladder            its games with other players
                                     └─► simulators        CXXRTL and Verilator, side by side

A bench is the module of its name. Those about the turn unit are made of

::

    recorded          the games that core, turn_unit, search and tactics replay
    candidates        core's work: what the trials say and what the model says
    routed            what loopline report has found out about the turn unit's size and clock
    core_report       core's figures as a text and as JSON
    core_software     the same work on this machine's processor, by the model and by ...
    software          ... the fastest software, which begins with ``software_``
    random_session    what random_positions does for a seed, with ...
    checked_unit      ... a turn unit whose every command is compared with the model, by ...
    torus             ... a position of the model on the unit's torus
    faults            the faults of mutations

those about the whole design of

::

    soak_faults       what befalls a host, a cable and a board, by ...
    soak_cable        ... a cable that can be damaged, cut and pulled out
    fuzz_events       what a fuzzer does to a serial line, ...
    fuzz_recipes      ... where that comes from, ...
    fuzz_campaign     ... what of it is kept, and goes on from, ...
    fuzz_check        ... whether the board is well after it, ...
    fuzz_shrink       ... and the least of it that makes a board fail

and all have a command line made of ``options``, and figures of the sources that ``sources`` names.
Two programs make what others read:

::

    python -m loopline.bench.fit_evaluation   the weights of the search, from games of its own
    python -m loopline.bench.tactics_find     the forced wins that tactics looks for
"""

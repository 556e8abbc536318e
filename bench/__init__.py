"""Programs that measure: each prints figures, and fails if what it measures is wrong.

::

    loopline bench NAME ─► __main__ ─┬─► core        the evaluation of all candidate turns
                                     ├─► turn_unit   turns made and taken back, and perft
                                     ├─► games       whole games over the serial port
                                     ├─► simulators  CXXRTL and Verilator, side by side
                                     └─► mutations   faults planted in the core, and what finds them

    faults            the faults of mutations
    recorded          the games that core and turn_unit replay
    candidates        core's work: what the trials say and what the model says
    routed            what loopline report has found out about the turn unit's size and clock
    core_report       core's figures as a text and as JSON
    core_software     the same work on this machine's processor, by the model and by ...
    software          ... the fastest software, which begins with ``software_``
"""

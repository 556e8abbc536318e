"""Trials: every candidate turn of a position judged, without making one.

::

    types    what the parts tell each other
    overlay  cells as a trial has changed them      names   tracks that end at a trial's tiles
    unions   tracks that a trial has joined         lane    what one new socket does to a space
    chain    the forced plays of four trials, one tile each in turn
    entries  the frontier table with sockets         first   first tiles, space by space
    unit     the parts put together, behind a stream of outcomes
"""

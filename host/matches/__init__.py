"""Matches and tournaments: many games between programs, and what they say about their strength.

::

    openings ──► plan ──► tasks ──► cluster ──► pairs, on this machine or others ──► referee
                                       │
                       one result after the other, in any order
                                       ▼
    journal ◄── contest ──► standing ──► elo, sprt, ratings ──► summary, progress
    (to resume)    └──► the file with the games

The unit of work is a pair of games with one opening and colours exchanged. The number of a pair
seeds all that is random in it. A pair counts once, however often and wherever it was started.
``against`` makes a player of an older version of the engine.
"""

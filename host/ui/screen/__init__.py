"""A game on the whole screen of a terminal, with keys and mouse; needs the extra ``screen``.

::

    keys, mouse ──► app ──► Session (loopline.host.ui.session), which plays in another thread
                     │ ◄── events
                     ├──► board   ◄── drawing: the board in characters, with the turn to come
                     ├──► panel   clock, the turn to come, evaluation, threats, history
                     └──► dialogs new game, help

- ``choice``: the spaces and turns that a person can choose, and which one is chosen
- ``drawing``: a board as lines, and which space is where
- ``board``: the board, which scrolls
- ``panel``: what is said beside it
- ``dialogs``: what is asked or explained above it
- ``app``: the whole
"""

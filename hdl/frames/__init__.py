"""The framed link's commands: obeyed, and answered. In the order of the data:

- ``requests``: what a command asks of the player, and what the player tells;
- ``commander``: obeys frames, and answers each of them:

  - ``commander_steps``: what its states share;
  - ``commander_check``, ``commander_obey``, ``commander_answer``: its states, in the order in which
    a frame meets them;

- ``turn_list``, ``position_dump``, ``selftest``: what frames ask about turns, position and turn
  unit, in pieces;
- ``answers``: the bytes of all other answers.
"""

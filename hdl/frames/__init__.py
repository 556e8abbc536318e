"""The framed commands: obeyed, and answered. In the order of the data:

- ``requests``: the player, as frames see it;
- ``frame_checker``: checks a frame against the definition of its command;
- ``repetitions``: recognises a frame that has been answered already;
- ``search_monitor``: follows a search;
- ``commander``: obeys frames, and has each of them answered;
- ``answers``: writes the payloads of answers that have a fixed form;
- ``pieces``, ``turn_list``, ``position_dump``, ``turn_count``, ``selftest``: answers of any number,
  with the turn unit;
- ``frames``: connects all of these, as :class:`~loopline.hdl.frames.frames.Frames`, with the
  diagram.
"""

"""Players: whoever makes the turns of a game, behind one interface."""

"""Real boards: one table entry and one top per board, bitstreams and their reports."""

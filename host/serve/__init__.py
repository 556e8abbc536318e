"""Devices of this machine, and games in play, for browsers: `loopline serve`.

::

    browser ─► server: origin, token, limits ─► bridge, one for each connection ─► transport, device
                     └───────────────────────◄─ watched: a file that is written meanwhile

- ``offered``: the devices that were offered when the server started, and who has them now;
- ``bridge``: bytes between one connection and one device;
- ``watched``: files that are shown while they are written;
- ``server``: the page's files, the lists of devices and watched files, and the WebSockets.
"""

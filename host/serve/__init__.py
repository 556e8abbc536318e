"""Devices of this machine for browsers: `loopline serve`.

::

    browser ─► server: origin, token, limits ─► bridge, one for each connection ─► transport, device

- ``offered``: the devices that were offered when the server started, and who has them now;
- ``bridge``: bytes between one connection and one device;
- ``server``: the page's files, the list of devices, and the WebSockets.
"""

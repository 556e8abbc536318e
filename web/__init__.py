"""Loopline in a browser: one static page that plays with any device by the framed link.

::

    page/                                     a device
      app.js ─► devices.js ─► device.js ─► transports.js ─┬─► board_worker.js: the board in the page
        │                        │                        ├─► Web Serial: a board at a serial port
        ├─► scene.js, drawing.js └─► frames.js, wire.js   └─► WebSocket: `loopline serve`
        └─► panel.js, dialogs.js

- ``page``: the page's files, as a browser gets them;
- ``wire_module``: makes ``page/wire.js`` from ``loopline.game.wire``;
- ``write_page``: writes the page to a folder, with the board: ``loopline page``;
- ``screenshots``: takes the pictures of the documentation.

Nothing in the page knows the rules: it asks the device for legal turns, for what they force and
complete, for positions and for searches.
"""

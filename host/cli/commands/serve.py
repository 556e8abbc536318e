"""``loopline serve``: the page for browsers, with devices of this machine."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import secrets
import subprocess
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from socket import AF_INET, AF_INET6, SOCK_DGRAM, gethostname, socket
from tempfile import TemporaryDirectory

from loopline.host.cli.commands import Command
from loopline.host.device import DEVICE_HELP
from loopline.host.errors import UsageError
from loopline.host.serve.offered import LOOPBACK, Offered
from loopline.host.serve.watched import watched_files
from loopline.tools.arguments import whole_number
from loopline.tools.extras import require

__all__ = ["COMMANDS", "reachable"]

_PORT = 8080
_PORTS = 65535
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")

_DESCRIPTION = """
Serve the page for browsers at an address of this machine, with devices of this machine: boards at
serial ports, simulated boards, engines. A program is started for each connection; a board at a port
has one connection at a time. With --watch the page follows a game in play. Ends with Ctrl-C.

Only this machine can connect, unless --host names another address. Then the page's address has a
token, without which no device can be used: another one at each start, or that of the variable
LOOPLINE_TOKEN. The connection is not encrypted.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--device",
        action="append",
        metavar="DEVICE",
        help=f"a device to offer: {DEVICE_HELP}; may be given several times (engine)",
    )
    add(
        "--page",
        type=Path,
        metavar="DIR",
        help="a folder of `loopline page`; without it the page has no board of its own",
    )
    add(
        "--watch",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="show the game in FILE, as --live of referee, match and tournament writes it; the "
        "file may come later, and --watch be given several times",
    )
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (%(default)s)")
    add(
        "--port",
        type=whole_number(0, _PORTS),
        default=_PORT,
        metavar="N",
        help="the port, 0 for any (%(default)s)",
    )
    add(
        "--connections",
        type=whole_number(1, 1000),
        default=8,
        metavar="N",
        help="the most connections to devices (%(default)s)",
    )


def _run(arguments: argparse.Namespace) -> int:
    require("this command", "serve")
    if not arguments.host:
        raise UsageError("--host '' is no address: use one such as 127.0.0.1 or 0.0.0.0")
    offered = Offered(arguments.device or ["engine"], arguments.connections)
    if arguments.page is None:
        with TemporaryDirectory(prefix="loopline-") as folder:
            program = [sys.executable, "-m", "loopline.web", folder, "--without-board"]
            if subprocess.run(program, check=False).returncode:
                raise UsageError(f"the page cannot be written to {folder}")
            return asyncio.run(_serve(arguments, Path(folder), offered))
    return asyncio.run(_serve(arguments, arguments.page, offered))


async def _serve(arguments: argparse.Namespace, folder: Path, offered: Offered) -> int:
    # Imported here: the extra may be missing.
    from loopline.host.serve.server import Server

    host, watched = arguments.host, watched_files(arguments.watch)
    token = None if host in LOOPBACK else _token()
    try:
        server = Server(folder, offered, watched, host=host, port=arguments.port, token=token)
    except (OSError, UnicodeError) as error:  # the latter for a name that no host can have
        raise UsageError(f"cannot listen at {host}, port {arguments.port}: {error}") from None
    address = reachable(host)
    shown = f"[{address}]" if ":" in address else address
    query = f"?token={token}" if token else ""
    fragment = "#live" if watched else ""
    print(f"http://{shown}:{server.port}/{query}{fragment}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await server.close()
    return 0


def _token() -> str:
    """Return the token of the environment, or a new one."""
    token = os.environ.get("LOOPLINE_TOKEN")
    if token and not _TOKEN.fullmatch(token):
        raise UsageError("LOOPLINE_TOKEN is no token: use 16 or more of A-Z, a-z, 0-9, - and _")
    return token or secrets.token_urlsafe(16)


def reachable(host: str) -> str:
    """Return an address of this machine in place of one that stands for all of them.

    It is the machine's name if the machine has no network.
    """
    try:
        if not ip_address(host).is_unspecified:
            return host
    except ValueError:  # a name
        return host
    family, far = (AF_INET6, "2001:db8::1") if ":" in host else (AF_INET, "192.0.2.1")
    # The system says from which address it would send there; nothing is sent.
    with suppress(OSError), socket(family, SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    return gethostname()


COMMANDS = {
    "serve": Command(
        _DESCRIPTION,
        (
            "loopline serve",
            "loopline serve --device engine --device /dev/ttyUSB1 --page build/page",
            "loopline serve --watch game.txt --host 0.0.0.0",
        ),
        _configure,
        _run,
    )
}

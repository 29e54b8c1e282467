#!/usr/bin/env python3
"""Runs a folder of scenarios on a board that labgrid reserves.

    python3 run.py board=qemu scenarios

Waits until a place with this tag is free, reserves and acquires it, runs `hil-bridge
test` on its serial port, and releases it again. More arguments are passed on to the
command. The exit code is that of the command.
"""

import os
import subprocess
import sys
from pathlib import Path

from labgrid import Environment

HERE = Path(__file__).resolve().parent


def client(*words):
    """Runs `labgrid-client`, and returns what it prints."""
    command = [sys.executable, "-m", "labgrid.remote.client", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def place_of_board():
    """Where the acquired board is, as the option --at names it."""
    environment = Environment(str(HERE / "environment.yaml"))
    port = environment.get_target().get_resource("NetworkSerialPort")
    way = {"rfc2217": "rfc2217", "raw": "tcp"}[port.protocol]
    return f"{way}:{port.host}:{port.port}", str(port.speed)


def run(tag, folder, *options):
    # Prints `export LG_TOKEN=...`, which the other commands read.
    reserved = client("reserve", "--wait", "--shell", tag)
    os.environ["LG_TOKEN"] = reserved.strip().rpartition("=")[2]
    try:
        client("-p", "+", "acquire")
        try:
            at, speed = place_of_board()
            print(f"{tag} is reserved: {at}", flush=True)
            command = ["hil-bridge", "test", folder, "--at", at, "--baud", speed]
            return subprocess.run([*command, *options]).returncode
        finally:
            client("-p", "+", "release")
    finally:
        client("cancel-reservation")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        sys.exit(run(*sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"run.py: labgrid-client {' '.join(error.cmd[3:])} failed")

#!/bin/sh
# Tells the coordinator once which places there are. A place is what people reserve: here a
# board, with its serial port and a tag that says what it is.
set -eu
for board in "${@:-virtual qemu pico}"; do
    for name in $board; do
        labgrid-client -p "$name" create
        labgrid-client -p "$name" add-match "desk/$name/NetworkSerialPort"
        labgrid-client -p "$name" set-tags board="$name"
    done
done

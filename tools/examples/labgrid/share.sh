#!/bin/sh
# Shares three boards as serial ports of this machine: a virtual one, a microcontroller in
# QEMU, and an emulated Pico. Ends with Ctrl-C.
set -eu
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT INT TERM
hil-bridge serve --at virtual --rfc2217 --listen 127.0.0.1:7701 &
hil-bridge serve --at qemu --rfc2217 --listen 127.0.0.1:7702 &
hil-bridge serve --at pico --rfc2217 --listen 127.0.0.1:7703 &
wait

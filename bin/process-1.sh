#!/bin/sh
# Process 1 of a container: runs `readback` as its child, hands on the signals to stop, and ends with its exit code.
# The kernel lets no process of a container end process 1, so that a service in its place could not end itself.
node "$(dirname "$0")/readback.js" "$@" <&0 &
service=$!
trap 'kill -TERM "$service"' TERM
# Ctrl-C at a terminal reaches the child by itself.
if [ -t 0 ]; then trap : INT; else trap 'kill -INT "$service"' INT; fi
# A signal interrupts the wait; while the child is there, its exit code is still to come.
while
  wait "$service"
  status=$?
  kill -0 "$service" 2>/dev/null
do :; done
exit "$status"

#!/bin/sh
# run_once.sh PROGRAM ARGUMENT...: the test that a program runs to its end and succeeds.
exec "$@"

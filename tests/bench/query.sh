#!/bin/sh
# How fast questions are answered: see query.py. N=100000 for a quick run.
exec /usr/bin/python3 "$(dirname "$0")/query.py" "${N:-1000000}"

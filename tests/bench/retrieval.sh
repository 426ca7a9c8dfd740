#!/bin/sh
# How well questions are answered: see retrieval.py.
exec /usr/bin/python3 "$(dirname "$0")/retrieval.py"

#!/bin/sh
# Interesting (exit code 1) while the program still parses and has a windows op
# of stride 2.
tensoraccess-opt "$1" 2>/dev/null | grep -q 'windows.*strides = \[2' && exit 1
exit 0

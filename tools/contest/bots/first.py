#!/usr/bin/env python3
"""first.py: wins a block if it can, else keeps the other from it, else anything.

The lines that it reads and writes are described in the README two folders up.
"""

import random
import sys

LINES = (
    [[row * 4 + column for column in range(4)] for row in range(4)]
    + [[row * 4 + column for row in range(4)] for column in range(4)]
    + [[0, 5, 10, 15], [3, 6, 9, 12]]
)


def cell_of(block, place):
    """Row and column of a place in a block."""
    return block // 4 * 4 + place // 4, block % 4 * 4 + place % 4


def completes(cells, mark, block, place):
    """True if this mark would make a line in the block."""

    def has(other):
        row, column = cell_of(block, other)
        return other == place or cells[row * 16 + column] == mark

    return any(place in line and all(map(has, line)) for line in LINES)


def choose(chance, mine, cells, is_open):
    """Row and column of a mark."""
    theirs = "o" if mine == "x" else "x"
    legal = []
    for block in range(16):
        for place in range(16):
            row, column = cell_of(block, place)
            if is_open[block] == "+" and cells[row * 16 + column] == "-":
                legal.append((block, place))
    for mark in (mine, theirs):
        lines = [both for both in legal if completes(cells, mark, *both)]
        if lines:
            return cell_of(*chance.choice(lines))
    return cell_of(*chance.choice(legal))


def main():
    chance, mine = random.Random(0), "x"
    for line in sys.stdin:
        words = line.split()
        if words[0] == "start":
            _, version, mine, seed = words
            chance.seed(int(seed))
        elif words[0] == "move":
            _, row, column, cells, blocks, is_open = words
            row, column = choose(chance, mine, cells, is_open)
            print(row, column, flush=True)
        elif words[0] == "end":
            print("it was", words[1], file=sys.stderr)


main()

"""Plays random moves: python3 client.py hil-bridge shell --json --at core"""
import json
import random
import sys
from subprocess import PIPE, Popen


class Board:
    def __init__(self, command):
        self.shell = Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)

    def say(self, line):
        try:
            print(line, file=self.shell.stdin)
            answer = json.loads(self.shell.stdout.readline())
        except (BrokenPipeError, ValueError):
            sys.exit("the board is gone")
        if "error" in answer:
            sys.exit(answer["error"])
        return answer


board = Board(sys.argv[1:])
board.say("set game=reversi mode=0 level=1")
state = board.say("start")
while not state["over"]:
    if state["turn"] == "green":
        board.say("tap " + random.choice(board.say("legal")["points"]))
    state = board.say("wait 100")
print("\n".join(state["rows"]))
print(state["winner"], *state["score"])

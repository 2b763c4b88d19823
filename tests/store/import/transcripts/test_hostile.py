#!/usr/bin/env python3
"""Imports transcripts that no program should write: odd values, very many tool calls, files that are there but not listed."""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
sys.dont_write_bytecode = True
from test_claude import Place, based_on, harness, small
from test_codex import CodexPlace, filled, named


def memory_call(s, **more):
    return {"type": "tool_use", "id": "odd", "name": "Write", "input": {"file_path": s.file("feedback_tabs.md"), "content": "x"},
            **more}


def odd_models(s):
    for _ in range(2):
        s.line("assistant", message={"role": "assistant", "model": 5, "content": [{"type": "text", "text": "odd"}]})
    s.end()


def odd_message_id(s):
    for _ in range(2):
        s.line("assistant", message={"role": "assistant", "id": 5, "content": [{"type": "text", "text": "odd"}],
                                     "usage": {"output_tokens": 3}})
    s.say("of another message")
    s.end()


def odd_call_id(s):
    s.assistant(memory_call(s, id=5))
    s.line("user", message={"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": 5, "content": "no", "is_error": True}]})
    s.end()


def odd_path(s):
    s.assistant(memory_call(s, input={"file_path": ["/x/memory/a.md"]}))
    s.end()
    with open(s.path()) as f:  # what looks like a path, but is no string and no JSON
        text = f.read()
    with open(s.path(), "w") as f:
        f.write(text.replace('["/x/memory/a.md"]', "[/x/memory/a.md]"))


def test_odd_values():
    for odd in odd_models, odd_message_id, odd_call_id, odd_path:
        with Place() as p:
            home, s, cause = small(p)
            other = home.session()
            other.person("before it")
            odd(other)
            p.imports()
            all_ = p.memories()
            assert "episode:" + other.id in all_ and "raw:" + cause in based_on(p.of_file("feedback_tabs.md")), odd
            assert p.imports()["updated"] == p.sum["gone"] == 0, (odd, p.sum)


if __name__ == "__main__":
    chosen = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (len(sys.argv) < 2 or n in sys.argv[1:])]
    sys.exit(harness.run(*chosen))

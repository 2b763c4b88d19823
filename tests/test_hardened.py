#!/usr/bin/env python3
"""The release build is hardened: what its compiler and linker commands make is read with readelf."""
import os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

# Copies into a buffer on the stack, so that both kinds of check are in it.
PROGRAM = """#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char copy[64];
    memcpy(copy, argv[argc - 1], strlen(argv[argc - 1]) + 1);
    return puts(copy) < 0;
}
"""


def run(words, **options):
    return subprocess.run(words, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def commands():
    """The words that compile a file of the release, and those that link it."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")}
    lines = run(["make", "-n", "V=1", "FLAVOUR=release", "-W", "tui/main.c", "build/release/stemma"], env=env).splitlines()
    compile = next(line for line in lines if " -c -o build/release/tui/main.o " in line)
    link = next(line for line in lines if " -o build/release/stemma " in line)
    return shlex.split(compile), shlex.split(link)


def build(folder):
    compile, link = commands()
    with open(folder + "/main.c", "w") as file:
        file.write(PROGRAM)
    at = compile.index("-c")
    run(compile[:at] + ["-c", "-o", folder + "/main.o", folder + "/main.c"])
    at = link.index("-o")
    run(link[:at] + ["-o", folder + "/main", folder + "/main.o"] + [word for word in link[at + 2:] if word.startswith("-l")])
    return folder + "/main"


def has(text, pattern):
    assert re.search(pattern, text), f"no {pattern} in\n{text}"


def it_is_position_independent(path):
    has(run(["readelf", "-hW", path]), r"Type: +DYN")
    has(run(["readelf", "-dW", path]), r"FLAGS_1.*\bPIE\b")


def relocations_are_read_only(path):
    has(run(["readelf", "-lW", path]), r"GNU_RELRO")
    has(run(["readelf", "-dW", path]), r"FLAGS_1.*\bNOW\b")


def the_stack_is_not_executable(path):
    has(run(["readelf", "-lW", path]), r"GNU_STACK +(0x\w+ +){5}RW ")


def the_stack_is_protected(path):
    has(run(["readelf", "-sW", path]), r"__stack_chk_fail")


def functions_of_the_library_are_checked(path):
    has(run(["readelf", "-sW", path]), r"__memcpy_chk")


def jumps_are_checked(path):
    if "X86-64" in run(["readelf", "-hW", path]):
        has(run(["readelf", "-nW", path]), r"IBT, SHSTK")


def main():
    stemma = os.environ.get("STEMMA", "")
    with tempfile.TemporaryDirectory(prefix="stemma-h-") as folder:
        for path in [build(folder)] + ([stemma] if "/release" in stemma else []):
            for test in (it_is_position_independent, relocations_are_read_only, the_stack_is_not_executable,
                         the_stack_is_protected, functions_of_the_library_are_checked, jumps_are_checked):
                harness.test(f"{test.__name__}: {os.path.basename(path)}", test, path)
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())

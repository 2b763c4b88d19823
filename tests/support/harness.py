"""What tests in Python share: how a test is reported, and how transcripts are compared."""
import concurrent.futures, os, subprocess, traceback

failed = False


def report(good, name, why=""):
    global failed
    failed |= not good
    print(f"[{'       OK ' if good else '  FAILED  '}] {name}" + ("" if good or not why else f"\n{why}"), flush=True)


def test(name, body, *args):
    """Runs body(*args). An exception fails the test."""
    try:
        body(*args)
        report(True, name)
    except Exception:
        report(False, name, traceback.format_exc()[-6000:])


def run(*tests):
    """Runs functions as tests of their names. Returns the exit status."""
    for body in tests:
        test(body.__name__, body)
    return failed


def keep(path, made):
    """Compares a file with the text that it should have, and returns whether it has. Prints how they differ: each hunk with its
    lines and the section it is in, which begins with a line `== NAME`, or in files without those with a comment. GENERATE=1
    writes the file and prints only which lines and sections changed; tests/run shows that."""
    section = "^== " if "\n== " in "\n" + made else "^# "
    hunks = subprocess.run(["diff", "-aN", "-U0", "-F", section, "--label", path, "--label", "made", path, "-"], input=made,
                           stdout=subprocess.PIPE, encoding="utf-8", errors="replace").stdout
    if hunks and os.environ.get("GENERATE"):
        with open(path, "w") as file:
            file.write(made)
        hunks = "".join(f"GENERATED {path} {line}\n" for line in hunks.splitlines() if line.startswith("@@"))
    print(hunks, end="")
    return not hunks or bool(os.environ.get("GENERATE"))


def compare(paths, transcript, threads):
    """Compares each file with the text that transcript(path) returns; GENERATE=1 rewrites the files."""
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for path, made in zip(paths, pool.map(transcript, paths)):
            report(keep(path, made), os.path.basename(path)[:-2])

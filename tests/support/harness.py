"""What tests in Python share: how a test is reported, and how transcripts are compared."""
import concurrent.futures, difflib, os, traceback

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


def compare(paths, transcript, threads):
    """Compares each file with the text that transcript(path) returns; GENERATE=1 rewrites the files."""
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        made = list(pool.map(transcript, paths))
    for path, got in zip(paths, made):
        with open(path) as file:
            want = file.read()
        if os.environ.get("GENERATE"):
            with open(path, "w") as file:
                file.write(got)
            want = got
        difference = difflib.unified_diff(want.splitlines(True), got.splitlines(True), path, "what it printed", n=2)
        print("".join(difference), end="")
        report(want == got, os.path.basename(path)[:-2])

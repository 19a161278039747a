"""What a test says at its end: a line for each case that failed, and how many passed and failed."""


def judged(cases):
    """The exit code. `cases` gives pairs: what was looked at, and what is wrong with it, or None."""
    passed = failed = 0
    for title, wrong in cases:
        passed += wrong is None
        failed += wrong is not None
        if wrong is not None:
            print(f"FAILED {title}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0

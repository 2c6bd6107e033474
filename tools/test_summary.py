#!/usr/bin/python3
"""Counts the test cases of a `bazel test`, from its build event file, and prints the skipped ones with their reasons.

    ./bazelw test --build_event_json_file=FILE //...
    tools/test_summary.py FILE [NAME=EXIT_STATUS...]

Each NAME=EXIT_STATUS is one more check that counts as a case. The last line is `N passed, N failed, N skipped`; the exit
status is 1 where anything failed, a target that does not build included.
"""
import json
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def _case_result(case):
    """(result, reason) of a <testcase>."""
    if case.find("failure") is not None or case.find("error") is not None:
        return FAILED, ""
    skipped = case.find("skipped")
    if skipped is not None or case.get("result") == SKIPPED:
        message = skipped.get("message", "") if skipped is not None else ""
        # GoogleTest puts file:line on the first line.
        return SKIPPED, " ".join(message.split("\n", 1)[-1].split())
    if case.get("status") == "notrun":
        return SKIPPED, "disabled"
    return PASSED, ""


def _cases_of_xml(path):
    """[(name, result, reason)] of a test.xml; [] where there is none to read."""
    try:
        root = ElementTree.parse(path)
    except (OSError, ElementTree.ParseError):
        return []
    cases = []
    for case in root.iter("testcase"):
        name = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
        cases.append((name, *_case_result(case)))
    return cases


def _cases_of_test(result):
    """The cases of one run of a test; one for the whole where its XML does not say why it failed."""
    uris = {output["name"]: output.get("uri", "") for output in result.get("testActionOutput", [])}
    cases = _cases_of_xml(urllib.parse.unquote(urllib.parse.urlparse(uris.get("test.xml", "")).path))
    ok = result.get("status") == "PASSED"
    if not cases or (not ok and all(case[1] != FAILED for case in cases)):
        cases.append(("", PASSED if ok else FAILED, result.get("status", "")))
    return cases


def cases_of(lines):
    """[(target, name, result, reason)] of the events of a build, one JSON object a line."""
    cases = []
    tested, broken, finished = set(), set(), False
    for line in lines:
        event = json.loads(line)
        identity = event.get("id", {})
        if "testResult" in identity and "testResult" in event:
            label = identity["testResult"]["label"]
            tested.add(label)
            cases += [(label, *case) for case in _cases_of_test(event["testResult"])]
        elif "targetCompleted" in identity:
            skipped = event.get("aborted", {}).get("reason") == "SKIPPED"
            label = identity["targetCompleted"]["label"]
            if skipped:
                cases.append((label, "", SKIPPED, "not for this platform"))
            elif not event.get("completed", {}).get("success"):
                broken.add(label)
        elif "buildFinished" in identity:
            finished = event["finished"].get("exitCode", {}).get("name") in ("SUCCESS", "TESTS_FAILED", None)
        elif "aborted" in event and "unconfiguredLabel" in identity:
            broken.add(identity["unconfiguredLabel"]["label"])
    cases += [(label, "", FAILED, "does not build") for label in sorted(broken - tested)]
    if not finished and all(case[2] != FAILED for case in cases):
        cases.append(("//...", "", FAILED, "Bazel did not finish"))
    return cases


def main(arguments):
    with open(arguments[0], encoding="utf-8") as stream:
        lines = stream.readlines()
    # An empty file stands for no tests at all, beside the checks.
    cases = cases_of(lines) if lines else []
    for check in arguments[1:]:
        name, _, status = check.partition("=")
        cases.append((name, "", PASSED if status == "0" else FAILED, "exit status " + status))
    for wanted in (SKIPPED, FAILED):
        for target, name, result, reason in cases:
            if result == wanted:
                print("%s %s %s%s" % (wanted.upper(), target, name, ": " + reason if reason else ""))
    counts = {result: sum(case[2] == result for case in cases) for result in (PASSED, FAILED, SKIPPED)}
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

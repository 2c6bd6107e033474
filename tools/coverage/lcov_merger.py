#!/usr/bin/python3
"""Turns what gcov wrote into an lcov tracefile, and adds such files up.

Bazel runs it once for each test (--coverage_dir) and once for all of them
(--reports_file) in `bazel coverage`, in place of a Java program that it would
download. Lines and functions are counted; branches are not.
"""
import argparse
import gzip
import json
import os
import re
import sys


class Report:
    """Execution counts by source file, from any number of inputs."""

    def __init__(self):
        self._files = {}  # source: ({function: [line, count]}, {line: count})

    def _source(self, name):
        return self._files.setdefault(name, ({}, {}))

    def add_gcov(self, path):
        """Adds a .gcov.json.gz file of gcc 9 or later."""
        with gzip.open(path, "rt") as stream:
            entries = json.load(stream)["files"]
        for entry in entries:
            functions, lines = self._source(entry["file"])
            for function in entry["functions"]:
                record = functions.setdefault(function["name"], [function["start_line"], 0])
                record[1] += function["execution_count"]
            # A line of a template occurs once for each instance.
            for line in entry["lines"]:
                lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]

    def add_lcov(self, path):
        """Adds an lcov tracefile."""
        functions, lines = {}, {}
        with open(path, encoding="utf-8") as stream:
            for text in stream:
                key, _, value = text.rstrip("\n").partition(":")
                if key == "SF":
                    functions, lines = self._source(value)
                elif key == "FN":
                    line, _, name = value.partition(",")
                    functions.setdefault(name, [int(line), 0])
                elif key == "FNDA":
                    count, _, name = value.partition(",")
                    functions.setdefault(name, [0, 0])[1] += int(count)
                elif key == "DA":
                    number, count = (int(part) for part in value.split(",")[:2])
                    lines[number] = lines.get(number, 0) + count

    def write(self, path, keep):
        """Writes the sources that keep(name) accepts as an lcov tracefile."""
        out = []
        for source in sorted(filter(keep, self._files)):
            functions, lines = self._files[source]
            out.append("SF:" + source)
            out += ["FN:%d,%s" % (line, name) for name, (line, _) in functions.items()]
            out += ["FNDA:%d,%s" % (count, name) for name, (_, count) in functions.items()]
            out += ["FNF:%d" % len(functions), "FNH:%d" % sum(count > 0 for _, count in functions.values())]
            out += ["DA:%d,%d" % item for item in sorted(lines.items())]
            out += ["LF:%d" % len(lines), "LH:%d" % sum(count > 0 for count in lines.values()), "end_of_record"]
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines(line + "\n" for line in out)


def lines_of(path):
    if not path:
        return []
    with open(path, encoding="utf-8") as stream:
        return [line.strip() for line in stream if line.strip()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--coverage_dir")
    parser.add_argument("--reports_file")
    parser.add_argument("--output_file", required=True)
    parser.add_argument("--filter_sources", action="append", default=[])
    parser.add_argument("--source_file_manifest")
    options, _ = parser.parse_known_args()

    report = Report()
    for path in lines_of(options.reports_file):
        if os.path.exists(path):
            report.add_lcov(path)
    output = os.path.realpath(options.output_file)
    for folder, _, names in os.walk(options.coverage_dir) if options.coverage_dir else ():
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".gcov.json.gz"):
                report.add_gcov(path)
            elif name.endswith(".dat") and os.path.realpath(path) != output:
                report.add_lcov(path)

    manifest = set(lines_of(options.source_file_manifest))
    filters = [re.compile(pattern) for pattern in options.filter_sources]

    def keep(source):
        return not any(f.fullmatch(source) for f in filters) and (not manifest or source in manifest)

    report.write(options.output_file, keep)


if __name__ == "__main__":
    sys.exit(main())

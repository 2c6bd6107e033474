#!/usr/bin/python3
"""Writes compile_commands.json at the root of the workspace, for clangd and clang-tidy.

    ./bazelw run //tools:compile_commands [-- TARGET...]
"""
import json
import os
import subprocess
import sys


def bazel(*arguments):
    command = ["./bazelw", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def main():
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY") or os.getcwd()
    os.chdir(workspace)
    query = 'mnemonic("CppCompile", %s)' % (" + ".join(sys.argv[1:]) or "//...")
    graph = json.loads(bazel("aquery", "--output=jsonproto", "--include_artifacts=false", query))
    execution_root = bazel("info", "execution_root").strip()
    commands = {}
    for action in graph.get("actions", []):
        # clang, which reads the file, does not know this option of gcc's.
        arguments = [argument for argument in action["arguments"] if argument != "-fno-canonical-system-headers"]
        source = arguments[arguments.index("-c") + 1]
        # The tools' configuration compiles some files once more: one entry is enough.
        commands.setdefault(source, {
            "arguments": arguments,
            "directory": execution_root,
            "file": os.path.join(workspace, source) if os.path.exists(source) else source,
        })
    with open("compile_commands.json", "w", encoding="utf-8") as stream:
        json.dump(sorted(commands.values(), key=lambda command: command["file"]), stream, indent=1)
    print("compile_commands.json: %d files" % len(commands))


if __name__ == "__main__":
    main()

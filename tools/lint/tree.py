"""The files that the lint looks at, and the findings it reports."""
import collections
import os

# The path is relative to the root of the tree; the line is 0 where the finding is about the whole file.
Finding = collections.namedtuple("Finding", "rule path line message")


class Tree:
    """The source files below a root. Reads each at most once; not for files that change meanwhile."""

    def __init__(self, root):
        self.root = root
        self._text = {}
        self.paths = sorted(self._walk())
        self._present = frozenset(self.paths)

    def _walk(self):
        for folder, names, files in os.walk(self.root):
            # A nested workspace (examples/downstream) is linted as part of the tree; what Bazel and git write is not.
            names[:] = [n for n in names if not n.startswith((".git", "bazel-", "__pycache__")) and n != ".cache"]
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), self.root)
                if not path.endswith((".pyc", ".onnx", ".pb", ".bin", ".png", "compile_commands.json")):
                    yield path

    def text(self, path):
        """The text of a file of the tree."""
        if path not in self._text:
            with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as stream:
                self._text[path] = stream.read()
        return self._text[path]

    def has(self, path):
        """Whether the tree has the file."""
        return path in self._present

    def with_suffix(self, *suffixes):
        """The paths that end in one of the suffixes, in order."""
        return [path for path in self.paths if path.endswith(suffixes)]

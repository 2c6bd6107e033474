"""Runs the lint over the tree that the test is built from."""
import os
import unittest

from tools.lint import lint


class LintTest(unittest.TestCase):

    def test_tree_has_no_findings(self):
        # The runfile is a link to the WORKSPACE of the tree.
        root = os.path.dirname(os.path.realpath("WORKSPACE"))
        findings = lint.run(root)
        self.assertFalse(findings, "\n" + "\n".join(
            "%s:%d: %s: %s" % (f.path, f.line, f.rule, f.message) for f in findings))


if __name__ == "__main__":
    unittest.main()

"""Tests the counts of test_summary on events as Bazel writes them."""
import json
import os
import tempfile
import unittest

from tools import test_summary

_XML = """<?xml version="1.0"?>
<testsuites><testsuite name="S">
  <testcase name="Good" classname="S" status="run" result="completed"/>
  <testcase name="Off" classname="S" status="notrun" result="suppressed"/>
  <testcase name="NoData" classname="S" status="run" result="skipped"><skipped message="a.cc:3&#x0A;X is not set"/></testcase>
  %s
</testsuite></testsuites>
"""
_FAILURE = '<testcase name="Bad" classname="S"><failure message="no"/></testcase>'
_FINISHED = {"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": "SUCCESS"}}}


class TestSummaryTest(unittest.TestCase):

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)

    def result(self, label, status, xml=None):
        """The event of a test that left the XML."""
        outputs = []
        if xml is not None:
            path = os.path.join(self._folder.name, label.strip("/:") + ".xml")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(xml)
            outputs = [{"name": "test.xml", "uri": "file://" + path}]
        return {"id": {"testResult": {"label": label}}, "testResult": {"status": status, "testActionOutput": outputs}}

    def cases(self, *events):
        return test_summary.cases_of([json.dumps(event) for event in events])

    def test_counts_cases_and_gives_reasons(self):
        self.assertEqual(self.cases(self.result("//:a", "PASSED", _XML % ""), _FINISHED), [
            ("//:a", "S.Good", "passed", ""),
            ("//:a", "S.Off", "skipped", "disabled"),
            ("//:a", "S.NoData", "skipped", "X is not set"),
        ])

    def test_failed_case(self):
        cases = self.cases(self.result("//:a", "FAILED", _XML % _FAILURE), _FINISHED)
        self.assertEqual([c[1] for c in cases if c[2] == "failed"], ["S.Bad"])

    def test_failed_test_without_failed_case(self):
        for xml in (None, "", _XML % ""):
            cases = self.cases(self.result("//:a", "TIMEOUT", xml), _FINISHED)
            self.assertEqual([c for c in cases if c[2] == "failed"], [("//:a", "", "failed", "TIMEOUT")])

    def test_test_without_xml_counts_one(self):
        self.assertEqual(self.cases(self.result("//:a", "PASSED"), _FINISHED), [("//:a", "", "passed", "PASSED")])

    def test_target_that_does_not_build(self):
        event = {"id": {"targetCompleted": {"label": "//:a"}}, "completed": {}}
        self.assertEqual(self.cases(event, _FINISHED), [("//:a", "", "failed", "does not build")])

    def test_failed_test_is_not_a_failed_build(self):
        event = {"id": {"targetCompleted": {"label": "//:a"}}, "completed": {"success": True}}
        self.assertEqual(len(self.cases(event, self.result("//:a", "PASSED"), _FINISHED)), 1)

    def test_build_that_does_not_finish(self):
        self.assertEqual(self.cases(self.result("//:a", "PASSED"))[-1][2:], ("failed", "Bazel did not finish"))


if __name__ == "__main__":
    unittest.main()

#!/bin/bash
# coverage_doc_test.sh COVERAGE_DOC FILE: the checked-in document is what the tool prints.
set -u
"$1" >"$TEST_TMPDIR/coverage.md" || exit 1
diff -u "$2" "$TEST_TMPDIR/coverage.md" && exit 0
echo "FAILED: run ./bazelw run //tools:coverage_doc > docs/coverage.md"
exit 1

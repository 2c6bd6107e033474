#!/bin/bash
# properties_doc_test.sh PROPERTIES_DOC FILE: the checked-in document is what the tool prints.
set -u
"$1" >"$TEST_TMPDIR/properties.md" || exit 1
diff -u "$2" "$TEST_TMPDIR/properties.md" && exit 0
echo "FAILED: run ./bazelw run //tools:properties_doc > docs/properties.md"
exit 1

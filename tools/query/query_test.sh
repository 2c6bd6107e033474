#!/bin/bash
# query_test.sh QUERY WRITE_CHECK_DATA: what is printed and written, and the exit codes.
set -u
query=$1
folder=$TEST_TMPDIR/data
"$2" "$folder" || exit 1
fail() {
  echo "FAILED: $1"
  exit 1
}

"$query" -d REFERENCE >"$folder/out" || fail "exit code $? without a model"
grep -q 'REFERENCE .*Burin REFERENCE plugin' "$folder/out" || fail "the version is not printed"
grep -q 'RW PERF_COUNT = "NO"' "$folder/out" || fail "a property is not printed with its value"
grep -q 'YES, NO' "$folder/out" || fail "what is allowed is not printed"
grep -q '^model' "$folder/out" && fail "a model that nobody named is printed"

"$query" -d REFERENCE -m "$folder/model.onnx" -json "$folder/out.json" >"$folder/out" ||
  fail "exit code $? with a model"
grep -q 'supported 3, refused 0' "$folder/out" || fail "the verdict is not printed"
grep -qE 'Relu +1 +0' "$folder/out" || fail "the operations are not printed"
grep -q '"name": "PERF_COUNT"' "$folder/out.json" || fail "the properties are not in the JSON file"
grep -q '"type": "Relu"' "$folder/out.json" || fail "the operations are not in the JSON file"

"$query" >"$folder/preferred" || fail "exit code $? for the preferred device"
grep -q 'PERF_COUNT' "$folder/preferred" || fail "the preferred device has no properties"
"$query" -h | grep -q -- '-json' || fail "-h does not list the options"

"$query" -d NONE 2>"$folder/err"
[ $? = 2 ] || fail "an unknown device must exit with 2"
grep -q 'NONE' "$folder/err" || fail "an unknown device must be named"
"$query" -d REFERENCE -m "$folder/none.onnx" 2>"$folder/err" >/dev/null
[ $? = 2 ] || fail "a missing file must exit with 2"
grep -q 'none.onnx' "$folder/err" || fail "a missing file must be named"
"$query" -json "$folder" >/dev/null 2>"$folder/err"
[ $? = 2 ] || fail "a JSON file that cannot be written must exit with 2"
exit 0

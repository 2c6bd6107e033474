#!/bin/bash
# inspect_test.sh INSPECT WRITE_CHECK_DATA: what each option writes, and the exit codes.
set -u
inspect=$1
folder=$TEST_TMPDIR/data
"$2" "$folder" || exit 1
fail() {
  echo "FAILED: $1"
  exit 1
}

"$inspect" -m "$folder/model.onnx" -text -full_text "$folder/m.bir" -dot "$folder/m.dot" -svg "$folder/m.svg" \
  >"$folder/out" || fail "exit code $?"
grep -q '"x" f32\[3\]' "$folder/out" || fail "the input is not listed"
grep -qE '1 +Relu' "$folder/out" || fail "the histogram is not printed"
grep -q '= Relu(%0)' "$folder/out" || fail "the text form is not printed"
grep -q '= Relu(%0)' "$folder/m.bir" || fail "the text form is not written"
grep -q 'digraph' "$folder/m.dot" || fail "no DOT file"
grep -q '</svg>' "$folder/m.svg" || fail "no SVG file"

"$inspect" 2>"$folder/err"
[ $? = 2 ] || fail "a missing -m must exit with 2"
grep -q 'Option -m is required' "$folder/err" || fail "a missing -m must be named"
"$inspect" -m "$folder/none.onnx" 2>"$folder/err"
[ $? = 2 ] || fail "a missing file must exit with 2"
grep -q 'none.onnx' "$folder/err" || fail "a missing file must be named"
exit 0

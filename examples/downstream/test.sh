#!/bin/sh
# test.sh: builds this workspace and runs its program on a model of the Debian package libonnx-testdata.
set -eu
cd "$(dirname "$(realpath "$0")")"
model=/usr/share/libonnx-testdata/data/node/test_relu/model.onnx
# Without optimisation: what is tested is that it builds, links and runs.
../../bazelw build --noshow_progress --curses=no --compilation_mode=fastbuild //:classify
out=$(bazel-bin/classify "$model")
echo "$out"
# The model's input is [3,4,5] float32, and Relu keeps what is positive.
case $out in
  *f32*3*4*5*0.983*) ;;
  *) echo "test.sh: not the outputs of Relu" >&2; exit 1 ;;
esac
if bazel-bin/classify /dev/null; then
  echo "test.sh: an empty file must be an error" >&2
  exit 1
fi

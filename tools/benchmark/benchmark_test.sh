#!/bin/bash
# benchmark_test.sh BENCHMARK EXPORT: the effect of each option, the errors, and the exit codes.
set -u
benchmark=$1
folder=$TEST_TMPDIR
failures=0

# run ARGUMENT...: keeps the tool's exit code in $status and what it prints in $output.
run() {
  output=$("$benchmark" "$@" 2>&1)
  status=$?
  command="benchmark $*"
}

fail() {
  echo "FAILED: $command: $1; exit code $status, output:"
  echo "$output"
  failures=$((failures + 1))
}

has() { grep -qE -- "$1" <<<"$output" || fail "expected /$1/"; }
has_not() { grep -qE -- "$1" <<<"$output" && fail "unexpected /$1/"; }

# measures PATTERN ARGUMENT...: the run succeeds and prints the pattern.
measures() {
  run "${@:2}"
  [ "$status" = 0 ] || fail "expected success"
  has "$1"
}

# refuses PATTERN ARGUMENT...: the run fails, and the message matches.
refuses() {
  run "${@:2}"
  [ "$status" = 1 ] || fail "expected exit code 1"
  has "\[ ERROR \] .*$1"
  has_not 'Throughput'
}

small='builtin:mobilenet_v2(image=32,width=0.1,classes=4)'
"$2" 'mobilenet_v2(image=32,width=0.1,classes=4)' "$folder/small.onnx" >/dev/null || exit 1

# The whole run, with every step in order.
measures 'Count: +3 iterations' -m "$small" -niter 3
for step in 1 2 3 4 5 6 7 8 9 10 11; do has "\[Step $step/11\]"; done
for line in 'First inference took [0-9.]+ ms' 'Duration: +[0-9.]+ ms' 'Median: +[0-9.]+ ms' 'Average: +[0-9.]+ ms' \
  'Min: +[0-9.]+ ms' 'Max: +[0-9.]+ ms' 'Throughput: +[0-9.]+ FPS' 'Execution Devices: +REFERENCE' \
  '"data" f32\[1,3,32,32\]: random, seed 1'; do has "$line"; done
has_not $'\r'

# A progress bar, on a terminal alone.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  command='benchmark on a terminal'
  output=$(script -qec "$(printf '%q ' "$benchmark" -m "$small" -niter 3)" /dev/null </dev/null 2>&1)
  status=$?
  has '\[=+ *\] +100%'
  has 'Count: +3 iterations'
else
  echo 'NOTE: no terminal can be made here: the progress bar is tested by progress_test alone'
fi

# Without -m: a network of its own, which answers soon.
measures 'mobilenet_v2.image=96.' -niter 1
has '"data" f32\[1,3,96,96\]'
first=$(sed -nE 's/.*First inference took ([0-9]+)\..*/\1/p' <<<"$output")
[ "${first:-99999}" -lt 10000 ] || fail 'the first inference took longer than 10 s'

# -m: a file
measures '"logits" f32\[1,4\]' -m "$folder/small.onnx" -niter 1

# -d
measures 'Device REFERENCE' -m "$small" -d REFERENCE -niter 1
refuses 'GPU' -m "$small" -d GPU -niter 1

# -api
measures 'Start inference synchronously' -m "$small" -api sync -niter 2
measures 'Start inference asynchronously' -m "$small" -api async -niter 2

# -t ends a run; so does the first of both limits.
measures 'limits: 300 ms duration' -m "$small" -t 0.3
measures 'Count: +2 iterations' -m "$small" -t 1000 -niter 2
measures 'Count: +[0-9]{1,6} iterations' -m "$small" -t 0.3 -niter 1000000000

# -shape
measures '"data" f32\[1,3,64,64\]: random' -m "$small" -niter 1 -shape 'data[1,3,64,64]'
measures 'Input set of 2 frames' -m "$small" -niter 1 -shape '[2,3,32,32]'
refuses 'Option -shape: No input "other"' -m "$small" -niter 1 -shape 'other[1,3,64,64]'
refuses 'Convolution' -m "$small" -niter 1 -shape '[1,4,32,32]'

# -data_shape, for a model that -shape makes dynamic
measures '"data" f32\[2,3,32,32\]: random, seed 2' -m "$small" -niter 4 -shape '[?,3,32,32]' \
  -data_shape '[1,3,32,32][2,3,32,32]'
refuses 'dynamic shape' -m "$small" -niter 1 -shape '[1..4,3,32,32]'
refuses 'can have' -m "$small" -niter 1 -shape '[1..4,3,32,32]' -data_shape '[5,3,32,32]'
refuses 'models with dynamic inputs' -m "$small" -niter 1 -data_shape '[1,3,32,32]'

# -i
head -c 12288 /dev/zero >"$folder/zeros.bin"
measures 'zeros.bin' -m "$small" -niter 1 -i "data:$folder/zeros.bin"
measures 'zeros.bin' -m "$small" -niter 1 -i "$folder/zeros.bin"
head -c 12287 /dev/zero >"$folder/short.bin"
refuses 'takes 12288 bytes .*the file has 12287' -m "$small" -niter 1 -i "$folder/short.bin"
printf "\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 32, 32), }   " |
  cat - "$folder/zeros.bin" >"$folder/zeros.npy"
measures 'zeros.npy' -m "$small" -niter 1 -i "data:$folder/zeros.npy"
cp "$folder/zeros.bin" "$folder/broken.npy"
refuses 'is no .npy file' -m "$small" -niter 1 -i "$folder/broken.npy"

# -pc
measures 'PERF_COUNT: YES' -m "$small" -niter 1 -pc
has 'Convolution +reference +f32 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+%'
run -m "$small" -niter 1
has_not 'PERF_COUNT: YES'
has_not 'Convolution +reference'

# -json_stats
measures "written to $folder/stats.json" -m "$small" -niter 3 -pc -json_stats "$folder/stats.json"
output=$(cat "$folder/stats.json")
has '"iterations_num": 3'
has '"latency_median": [0-9.]+'
has '"kernel": "reference"'
refuses '/none' -m "$small" -niter 1 -json_stats /none/stats.json

# -h, and what is refused
run -h
[ "$status" = 0 ] || fail "expected success"
has 'Usage: benchmark'
refuses 'Option -nstreams is not accepted: benchmark_app has it' -m "$small" -nstreams 2
refuses 'Option -hint is not accepted' -hint latency
refuses 'Unknown option -frobnicate' -frobnicate
refuses 'Option -api: expected sync or async' -api both
refuses 'Option -niter' -niter many
refuses 'No built-in network "resnet51"' -m builtin:resnet51
refuses '/no/model.onnx' -m /no/model.onnx
exit $((failures > 0))

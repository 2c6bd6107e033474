#!/bin/bash
# benchmark_test.sh BENCHMARK EXPORT: the effect of each option, the errors, and the exit codes.
set -u
benchmark=$(realpath "$1")
folder=$TEST_TMPDIR
failures=0

# run ARGUMENT...: keeps the tool's exit code in $status and what it prints in $output. Where no argument names a device
# it is REFERENCE, whose properties and kernels the expectations are of.
run() {
  case " $* " in
    *' -d '*) ;;
    *) set -- "$@" -d REFERENCE ;;
  esac
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
measures 'Count: +3 iterations' -m "$small" -nireq 1 -niter 3
for step in 1 2 3 4 5 6 7 8 9 10 11; do has "\[Step $step/11\]"; done
for line in 'First inference took [0-9.]+ ms' 'Duration: +[0-9.]+ ms' 'Median: +[0-9.]+ ms' 'Average: +[0-9.]+ ms' \
  'Min: +[0-9.]+ ms' 'Max: +[0-9.]+ ms' 'Throughput: +[0-9.]+ FPS' 'Execution Devices: +REFERENCE' \
  '"data" f32\[1,3,32,32\]: random, seed 1'; do has "$line"; done
has_not $'\r'

# A progress bar, on a terminal alone.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  command='benchmark on a terminal'
  output=$(script -qec "$(printf '%q ' "$benchmark" -m "$small" -nireq 1 -niter 3)" /dev/null </dev/null 2>&1)
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
measures 'Execution Devices: +CPU' -m "$small" -d CPU -niter 2 -hint latency
measures 'Execution Devices: +CPU' -m "$small" -d CPU -niter 2 -hint none -nstreams 1 -nthreads 1
has 'NUM_STREAMS: 1'
has 'INFERENCE_NUM_THREADS: 1'

# -api
measures 'Start inference synchronously' -m "$small" -api sync -niter 2
measures 'Start inference asynchronously' -m "$small" -api async -niter 2

# -nireq
measures 'asynchronously, 3 inference requests, limits: 6 iterations' -m "$small" -nireq 3 -niter 4
run -m "$small" -niter 1
optimal=$(sed -nE 's/.*OPTIMAL_NUMBER_OF_INFER_REQUESTS: ([0-9]+)/\1/p' <<<"$output")
has "asynchronously, ${optimal:-none} inference requests"
refuses 'Option -nireq: one request runs synchronously' -m "$small" -api sync -nireq 2 -niter 2

# -hint: a device without one refuses it; `none` sets nothing.
measures 'PERF_COUNT: NO' -m "$small" -hint none -niter 1
has_not 'PERFORMANCE_HINT'
refuses 'no property PERFORMANCE_HINT' -m "$small" -d REFERENCE -hint latency -niter 1
refuses 'no property PERFORMANCE_HINT' -m "$small" -d REFERENCE -hint tput -niter 1

# -nstreams, -nthreads, -pin, -infer_precision: a device that has no such property refuses it, and lists what it has.
refuses 'NUM_STREAMS.*PERF_COUNT' -m "$small" -hint none -nstreams 2
refuses 'INFERENCE_NUM_THREADS.*PERF_COUNT' -m "$small" -hint none -nthreads 2
refuses 'ENABLE_CPU_PINNING.*PERF_COUNT' -m "$small" -hint none -pin YES
refuses 'INFERENCE_PRECISION_HINT.*PERF_COUNT' -m "$small" -infer_precision bf16
refuses 'Option -infer_precision: device GPU is not measured' -m "$small" -infer_precision GPU:bf16
refuses 'Option -nstreams decides what a hint would decide' -m "$small" -nstreams 2

# -dump_config writes what -load_config reads; options win.
measures "written to $folder/config.json" -m "$small" -niter 1 -pc -dump_config "$folder/config.json"
grep -q '"PERF_COUNT": "YES"' "$folder/config.json" || fail 'expected PERF_COUNT in the dump'
measures 'PERF_COUNT: YES' -m "$small" -niter 1 -load_config "$folder/config.json"
has_not 'Convolution +reference'
echo '{"REFERENCE": {"PERF_COUNT": "NO"}}' >"$folder/config.json"
measures 'PERF_COUNT: NO' -m "$small" -niter 1 -load_config "$folder/config.json"
measures 'PERF_COUNT: YES' -m "$small" -niter 1 -load_config "$folder/config.json" -pc
echo '{"REFERENCE": {"NO_SUCH_THING": "1"}}' >"$folder/config.json"
refuses 'NO_SUCH_THING' -m "$small" -niter 1 -load_config "$folder/config.json"
echo '{"REFERENCE": {"PERF_COUNT": "PERHAPS"}}' >"$folder/config.json"
refuses 'PERHAPS' -m "$small" -niter 1 -load_config "$folder/config.json"
echo 'PERF_COUNT' >"$folder/config.json"
refuses "$folder/config.json: .*expected \{" -m "$small" -niter 1 -load_config "$folder/config.json"

# -load_from_file
measures 'Skipped: the file is compiled' -m "$folder/small.onnx" -load_from_file -niter 1
has_not 'Read model took'
has '"data" f32\[1,3,32,32\]: random'
refuses '/no/model.onnx' -m /no/model.onnx -load_from_file

# -no_warmup
measures 'Count: +1 iterations' -m "$small" -nireq 1 -niter 1 -no_warmup
has_not 'First inference took'

# -inference_only
measures 'requests, filling inputs, limits' -m "$small" -niter 2 -inference_only=false
measures 'requests, limits' -m "$small" -niter 2 -inference_only=true
measures 'requests, filling inputs, limits' -m "$small" -niter 2 -shape '[?,3,32,32]' -data_shape '[1,3,32,32]'
measures 'requests, limits' -m "$small" -niter 2 -shape '[?,3,32,32]' -data_shape '[1,3,32,32]' -inference_only true
refuses 'Option -inference_only: with several data shapes' -m "$small" -niter 2 -shape '[?,3,32,32]' \
  -data_shape '[1,3,32,32][2,3,32,32]' -inference_only true

# -max_irate: the fourth inference starts at 300 ms.
measures 'Duration: +([3-9][0-9]{2}|[0-9]{4,})\.[0-9]+ ms' -m "$small" -nireq 1 -niter 4 -max_irate 10

# -t ends a run; so does the first of both limits.
measures 'limits: 300 ms duration' -m "$small" -t 0.3
measures 'Count: +2 iterations' -m "$small" -nireq 1 -t 1000 -niter 2
measures 'Count: +[0-9]{1,6} iterations' -m "$small" -t 0.3 -niter 1000000000

# -shape
measures '"data" f32\[1,3,64,64\]: random' -m "$small" -niter 1 -shape 'data[1,3,64,64]'
measures 'Input set of 2 frames' -m "$small" -niter 1 -shape '[2,3,32,32]'
refuses 'Option -shape: no input "other"' -m "$small" -niter 1 -shape 'other[1,3,64,64]'
refuses 'Convolution' -m "$small" -niter 1 -shape '[1,4,32,32]'

# -data_shape, for a model that -shape makes dynamic
measures '"data" f32\[2,3,32,32\]: random, seed 2' -m "$small" -niter 4 -shape '[?,3,32,32]' \
  -data_shape '[1,3,32,32][2,3,32,32]'
refuses 'dynamic shape' -m "$small" -niter 1 -shape '[1..4,3,32,32]'
refuses 'can have' -m "$small" -niter 1 -shape '[1..4,3,32,32]' -data_shape '[5,3,32,32]'
refuses 'models with dynamic inputs' -m "$small" -niter 1 -data_shape '[1,3,32,32]'

# -layout and -b
measures '"data" f32\[4,3,32,32\] \[N,C,H,W\]' -m "$small" -niter 1 -layout 'data[NCHW]' -b 4
has 'Input set of 4 frames'
refuses 'Option -b' -m "$small" -niter 1 -b 4
refuses 'Option -layout: \[N,C\] does not fit the rank' -m "$small" -niter 1 -layout '[NC]'

# -ip, -op and -iop
measures '"data" u8\[1,3,32,32\]: random' -m "$small" -niter 1 -ip u8
measures '"logits" f16\[1,4\]' -m "$small" -niter 1 -op f16
measures '"logits" f64\[1,4\]' -m "$small" -niter 1 -ip i32 -op f16 -iop logits:f64
has '"data" i32\[1,3,32,32\]: random'
refuses 'Option -iop: no input or output "x"' -m "$small" -niter 1 -iop x:u8

# -i
measures '"data" f32\[1,3,32,32\]: random, seed 1' -m "$small" -niter 1 -i data:random
refuses 'image_info wants an input of rank 2' -m "$small" -niter 1 -i image_info
# One red pixel, which is resized.
printf 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0' >"$folder/red.bmp"
printf '\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\0' >>"$folder/red.bmp"
measures '"data" f32\[1,3,32,32\]: .*red.bmp$' -m "$small" -niter 1 -i "$folder/red.bmp"
measures '"data" f32\[2,3,32,32\]: .*red.bmp, .*red.bmp$' -m "$small" -niter 1 -shape '[2,3,32,32]' -layout '[NCHW]' \
  -i "data:$folder/red.bmp,$folder/red.bmp"
refuses 'has not 1, 3 or 4 channels' -m "$small" -niter 1 -layout '[NHCW]' \
  -i "$folder/red.bmp"
head -c 40 "$folder/red.bmp" >"$folder/damaged.bmp"
refuses 'damaged.bmp: Picture is damaged' -m "$small" -niter 1 -i "$folder/damaged.bmp"
refuses 'alone: .*red.jpg' -m "$small" -niter 1 -i "$folder/red.jpg"
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
has 'Convolution +reference +none +row-major +f32 +[0-9.]+ +[0-9.]+ +[0-9.]+% +[0-9.]+ +[0-9.]+ +[0-9]+% (fma|L1|L2|L3|DRAM)'
has '^Limits: 1 thread at [0-9.]+ GHz: [0-9.]+ GFLOP/s'
has '^Reference code: .*\(100\.00%\)'
run -m "$small" -niter 1
has_not 'PERF_COUNT: YES'
has_not 'Convolution +reference'

# -pcsort
node_lines() { grep -oE '^[^ ]+ +(EXECUTED|NOT_RUN|OPTIMIZED_OUT)' <<<"$output"; }
measures 'total' -m "$small" -niter 1 -pcsort no_sort
in_order=$(node_lines)
grep -q '^data ' <<<"$(head -1 <<<"$in_order")" || fail 'expected the input first'
run -m "$small" -niter 1 -pcsort sort
[ "$(node_lines)" != "$in_order" ] || fail 'expected another order'
[ "$(node_lines | sort)" = "$(sort <<<"$in_order")" ] || fail 'expected the same nodes'
run -m "$small" -niter 1 -pcsort simple_sort
[ "$(node_lines)" = "$(grep EXECUTED <<<"$in_order")" ] || fail 'expected the nodes that ran, in order'

# -pcseq
measures '1\. data: \[1,3,32,32\]' -m "$small" -niter 4 -pcseq -shape '[?,3,32,32]' -data_shape '[1,3,32,32][2,3,32,32]'
has '2\. data: \[2,3,32,32\]'
refuses 'Option -pcseq' -m "$small" -niter 1 -pcseq

# -latency_percentile
measures '90 percentile: +[0-9.]+ ms' -m "$small" -niter 2 -latency_percentile 90
has_not 'Median'

# -report_type and -report_folder
mkdir "$folder/reports"
measures "written to $folder/reports/benchmark_report.csv" -m "$small" -niter 2 -nireq 2 -report_type no_counters \
  -report_folder "$folder/reports"
[ "$(ls "$folder/reports")" = $'benchmark_report.csv\nbenchmark_report.json' ] || fail 'expected two reports'
grep -q '^iterations_num;2$' "$folder/reports/benchmark_report.csv" || fail 'expected the count in the CSV'
grep -q '"iterations_num": 2' "$folder/reports/benchmark_report.json" || fail 'expected the count in the JSON'
tables() { grep -c '^layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)$' "$1"; }
measures 'PERF_COUNT: YES' -m "$small" -niter 2 -nireq 2 -report_type average_counters -report_folder "$folder/reports"
has_not 'Convolution +reference'
[ "$(tables "$folder/reports/benchmark_average_counters_report.csv")" = 1 ] || fail 'expected one table'
grep -q ';EXECUTED;Convolution;reference_f32;' "$folder/reports/benchmark_average_counters_report.csv" ||
  fail 'expected a convolution'
measures 'PERF_COUNT: YES' -m "$small" -niter 2 -nireq 2 -report_type detailed_counters -report_folder "$folder/reports"
[ "$(tables "$folder/reports/benchmark_detailed_counters_report.csv")" = 2 ] || fail 'expected a table per request'
refuses '/none' -m "$small" -niter 1 -report_type no_counters -report_folder /none
(cd "$folder/reports" && rm -f ./* && "$benchmark" -m "$small" -niter 1 -report_type no_counters >/dev/null &&
  [ -e benchmark_report.csv ]) || fail 'expected reports in the working directory'

# -exec_graph_path
for form in txt json dot svg; do
  measures "written to $folder/graph.$form" -m "$small" -niter 1 -exec_graph_path "$folder/graph.$form"
  has 'PERF_COUNT: YES'
  grep -q 'Convolution' "$folder/graph.$form" || fail "expected a convolution in graph.$form"
done
grep -q '"execTimeMcs": "[0-9]' "$folder/graph.json" || fail 'expected times in graph.json'
refuses 'found "graph.xml"' -m "$small" -niter 1 -exec_graph_path graph.xml

# -trace
measures "Trace is written to $folder/trace.json" -m "$small" -niter 2 -trace "$folder/trace.json"
grep -q '"traceEvents"' "$folder/trace.json" || fail 'expected events'
[ "$(grep -c '"cat": "Convolution"' "$folder/trace.json")" -gt 3 ] || fail 'expected convolutions in the trace'
refuses '/none' -m "$small" -niter 1 -trace /none/trace.json

# A dynamic model's profile names kernels too.
measures 'Convolution +[a-z][^ ]+ +avx[0-9a-z_]+ +' -m "$small" -d CPU -niter 2 -nireq 1 -pc -shape '[?,3,32,32]' \
  -data_shape '[1,3,32,32]'

# -json_stats
measures "written to $folder/stats.json" -m "$small" -nireq 1 -niter 3 -pc -json_stats "$folder/stats.json"
output=$(cat "$folder/stats.json")
has '"iterations_num": 3'
has '"latency_median": [0-9.]+'
has '"kernel": "reference"'
has '"limit_share": [0-9.]+'
has '"performance_limits": "1 thread'
has '"reference_time_us": [0-9.]+'
refuses '/none' -m "$small" -niter 1 -json_stats /none/stats.json

# -worker: a line of JSON for a line of JSON
command='benchmark -worker'
output=$(printf '%s\n' '{"do": "compile"}' "{\"do\": \"feed\", \"inputs\": {\"data\": \"$folder/zeros.npy\"}}" \
  '{"do": "infer", "count": 2}' "{\"do\": \"outputs\", \"folder\": \"$folder\"}" '{"do": "quit"}' |
  "$benchmark" -worker -m "$folder/small.onnx" -d CPU -hint none -nstreams 1 -nthreads 1 -pin NO 2>&1)
status=$?
[ "$status" = 0 ] || fail 'expected success'
[ "$(wc -l <<<"$output")" = 5 ] || fail 'expected an answer a line'
has '^\{"milliseconds":[0-9.e-]+,"processor_milliseconds":[0-9.e-]+,"inputs":\[\{"name":"data","type":"f32","shape":\[1,3,32,32\]\}\],'
has '^\{"processor_milliseconds":[0-9.e-]+,"milliseconds":\[[0-9.e-]+,[0-9.e-]+\]\}'
has_not 'error'
[ "$(wc -c <"$folder/output_0.npy")" = $((128 + 4 * 4)) ] || fail 'expected four logits'
refuses 'Option -niter has no effect with -worker' -worker -m "$folder/small.onnx" -niter 3
refuses 'INFERENCE_PRECISION_HINT' -worker -m "$folder/small.onnx" -infer_precision f32

# -h, and what is refused
run -h
[ "$status" = 0 ] || fail "expected success"
has 'Usage: benchmark'
refuses 'Option -cache_dir is not accepted: benchmark_app has it' -m "$small" -cache_dir /tmp
refuses 'Option -hint: expected throughput or tput or latency' -hint fast
refuses 'Unknown option -frobnicate' -frobnicate
refuses 'Option -api: expected sync or async' -api both
refuses 'Option -niter' -niter many
refuses 'No built-in network "resnet51"' -m builtin:resnet51
refuses '/no/model.onnx' -m /no/model.onnx
exit $((failures > 0))

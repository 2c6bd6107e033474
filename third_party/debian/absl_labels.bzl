"""Abseil's upstream labels and the pkg-config modules behind them."""

_TARGETS = {
    "absl/algorithm": {"algorithm": "algorithm", "container": "algorithm_container"},
    "absl/base": {
        "base": "base",
        "config": "config",
        "core_headers": "core_headers",
        "dynamic_annotations": "dynamic_annotations",
        "log_severity": "log_severity",
    },
    "absl/cleanup": {"cleanup": "cleanup"},
    "absl/container": {
        "btree": "btree",
        "fixed_array": "fixed_array",
        "flat_hash_map": "flat_hash_map",
        "flat_hash_set": "flat_hash_set",
        "inlined_vector": "inlined_vector",
        "node_hash_map": "node_hash_map",
        "node_hash_set": "node_hash_set",
    },
    "absl/debugging": {
        "failure_signal_handler": "failure_signal_handler",
        "stacktrace": "stacktrace",
        "symbolize": "symbolize",
    },
    "absl/flags": {
        "config": "flags_config",
        "flag": "flags",
        "marshalling": "flags_marshalling",
        "parse": "flags_parse",
        "reflection": "flags_reflection",
        "usage": "flags_usage",
    },
    "absl/functional": {
        "any_invocable": "any_invocable",
        "bind_front": "bind_front",
        "function_ref": "function_ref",
    },
    "absl/hash": {"hash": "hash", "hash_testing": "hash_testing"},
    "absl/memory": {"memory": "memory"},
    "absl/meta": {"type_traits": "meta"},
    "absl/numeric": {"bits": "bits", "int128": "int128"},
    "absl/random": {
        "bit_gen_ref": "random_bit_gen_ref",
        "distributions": "random_distributions",
        "random": "random_random",
        "seed_sequences": "random_seed_sequences",
    },
    "absl/status": {"status": "status", "statusor": "statusor"},
    "absl/strings": {"cord": "cord", "str_format": "str_format", "strings": "strings"},
    "absl/synchronization": {"synchronization": "synchronization"},
    "absl/time": {"time": "time"},
    "absl/types": {
        "any": "any",
        "optional": "optional",
        "span": "span",
        "variant": "variant",
    },
    "absl/utility": {"utility": "utility"},
}

ABSL_LABELS = {
    "%s:%s" % (package, name): "absl_" + module
    for package, targets in _TARGETS.items()
    for name, module in targets.items()
}

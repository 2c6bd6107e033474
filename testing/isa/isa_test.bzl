"""burin_isa_test: one test per instruction set level, from one source.

Each runs the same program with BURIN_MAX_ISA set to its level, so that the target that jit::Target::Host() returns is
of that level. What the processor lacks is emulated where testing/emulation can; else the test is reported as skipped,
with the reason.
"""

load("//tools/bazel:cc.bzl", "burin_cc_binary")

# As in jit/isa/isa_levels.inc, by rank.
ISA_LEVELS = [
    "avx2",
    "avx_vnni",
    "avx512",
    "avx512_vnni",
    "avx512_bf16",
    "avx512_fp16",
    "amx_int8",
    "amx_bf16",
    "amx_fp16",
]

# Those with tile registers.
AMX_LEVELS = [level for level in ISA_LEVELS if level.startswith("amx_")]

def _isa_level_test_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = executable, target_file = ctx.executable.program, is_executable = True)
    return [
        DefaultInfo(executable = executable, runfiles = ctx.attr.program[DefaultInfo].default_runfiles),
        testing.TestEnvironment({"BURIN_MAX_ISA": ctx.attr.level}),
    ]

isa_level_test = rule(
    implementation = _isa_level_test_impl,
    attrs = {
        "level": attr.string(mandatory = True, doc = "the level that the program is run at"),
        "program": attr.label(mandatory = True, executable = True, cfg = "target", doc = "the test"),
    },
    test = True,
)

def burin_isa_test(name, srcs, deps = [], levels = ISA_LEVELS, size = "small", tags = [], shard_count = None, **kwargs):
    """The test suite NAME of the tests NAME_LEVEL, each with the tag isa_LEVEL. Their program is NAME_program.

    Args:
      name: of the suite: the stem of its file, which ends in _test.
      srcs: with GoogleTest's tests, which take their target from jit::Target::Host().
      deps: besides GoogleTest and the main() of testing/isa.
      levels: at which the tests have something to run.
      size: of each test.
      tags: of each test, besides the level's.
      shard_count: in how many parts each test runs.
      **kwargs: of the program, as of cc_binary.
    """
    program = name + "_program"
    burin_cc_binary(
        name = program,
        testonly = True,
        srcs = srcs,
        linkstatic = True,
        deps = deps + [
            "//testing/isa:isa_main",
            "@com_google_googletest//:gtest",
        ],
        **kwargs
    )
    for level in levels:
        isa_level_test(
            name = name + "_" + level,
            size = size,
            level = level,
            program = ":" + program,
            shard_count = shard_count,
            tags = tags + ["isa_" + level],
        )
    native.test_suite(
        name = name,
        tests = [":" + name + "_" + level for level in levels],
    )

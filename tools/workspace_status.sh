#!/bin/sh
# Prints the keys that stamped builds (--stamp) show; a STABLE_ key relinks what uses it.
echo "BUILD_SCM_REVISION $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "STABLE_GIT_COMMIT $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"

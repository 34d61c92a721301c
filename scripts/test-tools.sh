#!/usr/bin/env bash
# What the tests need beyond npm: opusinfo and ffprobe, as independent judges of our audio. Installed if they are missing.
set -euo pipefail
if command -v opusinfo >/dev/null && command -v ffprobe >/dev/null; then exit 0; fi
exec "$(dirname "$0")/debian-packages.sh" opus-tools ffmpeg

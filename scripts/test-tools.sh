#!/usr/bin/env bash
# What the tests need beyond npm, as independent judges of our work: opusinfo and ffprobe of our audio, qpdf and
# pdftotext of what we read from PDF files, zip of archives, chromium of the kiosk's page. Installed if they are missing.
set -euo pipefail
missing=0
for tool in opusinfo ffprobe qpdf pdftotext zip chromium; do command -v "$tool" >/dev/null || missing=1; done
if [ "$missing" = 0 ]; then exit 0; fi
exec "$(dirname "$0")/debian-packages.sh" opus-tools ffmpeg qpdf poppler-utils zip chromium

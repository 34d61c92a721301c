#!/usr/bin/env bash
# What the tests need beyond npm, as independent judges of our work: opusinfo and ffprobe of our audio, qpdf and
# pdftotext of what we read from PDF files, zip of archives, chromium of the kiosk's page, protoc and gRPC for Python of
# our gRPC door; nginx, the proxy that strangers come through; and pocketsphinx, the local recogniser. Installed if they
# are missing.
set -euo pipefail
tools=(opusinfo ffprobe qpdf pdftotext zip chromium pocketsphinx_continuous protoc)
missing=0
for tool in "${tools[@]}"; do command -v "$tool" >/dev/null || missing=1; done
# It lies where only root's search path looks.
[ -x /usr/sbin/nginx ] || missing=1
[ -e /usr/share/pocketsphinx/model/en-us/en-us.lm.bin ] || missing=1
/usr/bin/python3 -c 'import google.protobuf, grpc' 2>/dev/null || missing=1
if [ "$missing" = 0 ]; then exit 0; fi
exec "$(dirname "$0")/debian-packages.sh" opus-tools ffmpeg qpdf poppler-utils zip chromium nginx \
  pocketsphinx pocketsphinx-en-us protobuf-compiler python3-grpcio

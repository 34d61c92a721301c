#!/usr/bin/env bash
# Installs the Debian packages named as arguments, those that are missing only. Needs root or sudo for that.
set -euo pipefail

main() {
  local missing=()
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "this is no Debian: install ${missing[*]} by hand"
  echo "Installing ${missing[*]}" >&2
  as_root apt-get update -qq >&2
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes -qq --no-install-recommends "${missing[@]}" </dev/null >&2
}

installed() {
  dpkg-query --show --showformat '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo --non-interactive -- "$@"
  fi
}

fail() {
  echo "$0: $1" >&2
  exit 1
}

main "$@"

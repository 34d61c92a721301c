#!/usr/bin/env bash
# Makes a base image for the Dockerfile out of Debian and npm packages, where none can be pulled: a minimal Debian
# root (debootstrap) with Node and npm in it. Prints the path of the resulting tar file, which is kept for next time.
#
# Debian 12 brings Node 18, which is too old, so Node comes as the npm package `node-linux-<arch>`: the binary of
# nodejs.org, in the version that .nvmrc names. npm comes in the version that belongs to it.
set -euo pipefail

readonly DEBIAN_RELEASE=bookworm
readonly NPM_VERSION=10.8.2
readonly CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/readback-image

main() {
  cd "$(dirname "$0")/.."
  local node_version tar
  node_version=$(<.nvmrc)
  tar=$CACHE/$DEBIAN_RELEASE-node-$node_version-npm-$NPM_VERSION-$(arch_name).tar
  if [ ! -e "$tar" ]; then
    mkdir -p "$CACHE"
    work=$(mktemp --directory)
    trap 'rm -rf --one-file-system "$work"' EXIT
    debian_root "$work/debian"
    add_node "$work" "$node_version"
    # Under its final name only once it is whole.
    tar --create --directory "$work/debian" --file "$tar.part" .
    mv "$tar.part" "$tar"
  fi
  echo "$tar"
}

debian_root() {
  scripts/debian-packages.sh debootstrap
  # DEBIAN_MIRROR, if set, takes the place of debootstrap's own.
  debootstrap --variant=minbase "$DEBIAN_RELEASE" "$1" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >&2
  rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*
}

add_node() {
  local work=$1 node_version=$2 node npm usr=$1/debian/usr/local
  node=node-linux-$(arch_name)
  npm pack --silent --pack-destination "$work" "$node@$node_version" "npm@$NPM_VERSION" >&2
  tar --extract --file "$work/$node-$node_version.tgz" --directory "$usr" --strip-components 1 package/bin/node
  npm=$usr/lib/node_modules/npm
  mkdir -p "$npm"
  tar --extract --file "$work/npm-$NPM_VERSION.tgz" --directory "$npm" --strip-components 1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$usr/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$usr/bin/npx"
}

# The machine's architecture as Node names it.
arch_name() {
  case $(uname -m) in
    x86_64) echo x64 ;;
    aarch64) echo arm64 ;;
    *) echo "no Node package is known for $(uname -m)" >&2 && return 1 ;;
  esac
}

main

#!/usr/bin/env bash
# Builds the service as it was before one metronome gave the packets of all voices (docs/decisions/0079-one-metronome.md),
# for `npm run bench -- load` to hold today's against. Prints the folder of the build, which is kept for next time. Its
# dependencies are today's, so that nothing but our own code differs.
set -euo pipefail

readonly COMMIT=8b3094fae243e537901989fe5e60780bbb3531a5
readonly CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/readback-before

main() {
  cd "$(dirname "$0")/.."
  local folder=$CACHE/$COMMIT
  if [ ! -e "$folder" ]; then
    rm -rf --one-file-system "$folder.part"
    mkdir -p "$folder.part"
    git archive "$COMMIT" | tar --extract --directory "$folder.part"
    link_packages "$PWD/node_modules" "$folder.part/node_modules"
    (cd "$folder.part" && npm run build) >&2
    # Under its final name only once it is whole.
    mv "$folder.part" "$folder"
  fi
  # This checkout may be another one than that which built it.
  link_packages "$PWD/node_modules" "$folder/node_modules"
  echo "$folder"
}

# Those of others are ours; its own are its own.
link_packages() {
  local package
  rm -rf --one-file-system "$2"
  mkdir -p "$2/@readback"
  for package in "$1"/* "$1/.bin"; do
    [ "$(basename "$package")" = @readback ] || ln -s "$package" "$2/"
  done
  cp --no-dereference "$1"/@readback/* "$2/@readback/"
}

main "$@"

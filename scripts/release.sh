#!/usr/bin/env bash
# Makes a release of what is committed: runs everything that must hold, writes the version into every package and the
# image, closes the section "Unreleased" of CHANGELOG.md, commits and tags. Nothing is pushed.
#
#   scripts/release.sh [--dry-run] [--no-tests] <version>     # such as 0.2.0
#
# --dry-run shows what would be committed, and takes it back.
set -euo pipefail

main() {
  cd "$(dirname "$0")/.."
  local dry_run=0 tests=1 version=
  for argument in "$@"; do
    case $argument in
      --dry-run) dry_run=1 ;;
      --no-tests) tests=0 ;;
      -*) fail "unknown option $argument" ;;
      *) version=$argument ;;
    esac
  done
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "name a version such as 0.2.0"
  check "$version"
  if [ "$tests" = 1 ] && [ "$dry_run" = 0 ]; then .ci/run; fi
  trap 'git checkout --quiet -- .' EXIT # Of what is not committed in the end.
  write_versions "$version"
  close_section "$version"
  if [ "$dry_run" = 1 ]; then
    git --no-pager diff --unified=0
    echo "This would be committed, and tagged v$version."
    return
  fi
  git commit --quiet --all --message "Release $version"
  git tag --annotate "v$version" --message "Release $version"
  echo "Release $version is committed and tagged. Push it: git push --follow-tags"
}

check() {
  [ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
  ! git rev-parse --quiet --verify "refs/tags/v$1" >/dev/null || fail "there is a tag v$1 already"
  local newest
  newest=$(printf '%s\n' "$1" "$(node -p 'require("./package.json").version')" | sort --version-sort | tail -1)
  [ "$newest" = "$1" ] || fail "the version is $newest already"
  [ -n "$(unreleased | tr --delete '[:space:]')" ] || fail "CHANGELOG.md says nothing under Unreleased"
}

unreleased() {
  awk '/^## /{ inside = /^## \[Unreleased\]/; next } inside' CHANGELOG.md
}

write_versions() {
  VERSION=$1 node -e '
    const fs = require("fs");
    const edit = (file, change) => {
      const value = JSON.parse(fs.readFileSync(file, "utf8"));
      change(value);
      fs.writeFileSync(file, JSON.stringify(value, undefined, 2) + "\n");
    };
    const version = process.env.VERSION;
    const folders = ["", ...JSON.parse(fs.readFileSync("package.json", "utf8")).workspaces];
    for (const folder of folders) edit((folder || ".") + "/package.json", (its) => { its.version = version; });
    edit("package-lock.json", (lock) => {
      lock.version = version;
      for (const folder of folders) lock.packages[folder].version = version;
    });
  '
  sed --in-place "s/^ARG VERSION=.*/ARG VERSION=$1/" Dockerfile
}

close_section() {
  sed --in-place "s/^## \[Unreleased\]$/## [Unreleased]\n\n## [$1] - $(date --utc +%F)/" CHANGELOG.md
}

fail() {
  echo "release: $1" >&2
  exit 1
}

main "$@"

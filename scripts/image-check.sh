#!/usr/bin/env bash
# Builds the image and holds it to what it promises, without a container engine: buildah builds it and runs its
# commands, in a chroot, on a base that image-base.sh makes. Checked are the image (user, contents), the service in it
# (as process 1 and without privileges, as an engine would run it): health check, ingestion, an answer as text and as
# speech, files written nowhere but in /data; and that SIGTERM ends it cleanly. Needs root; leaves nothing behind but
# the cached base.
set -euo pipefail

readonly IMAGE=localhost/readback
readonly HEALTHY_SECONDS_MAX=60
readonly STOPPED_SECONDS_MAX=20
readonly QUESTION="How long do the drives and the flywheel of the packing line need to run down?"
readonly ANSWER="8 minutes"

main() {
  cd "$(dirname "$0")/.."
  [ "$(id -u)" -eq 0 ] || fail "needs root: sudo npm run image:check"
  work=$(mktemp --directory)
  export TMPDIR=$work/tmp
  mkdir "$TMPDIR"
  service_pid=
  trap clean_up EXIT
  scripts/debian-packages.sh buildah opus-tools
  step "base image" import_base
  step "build" build
  read_image_config
  container=$(store from --pull-never "$IMAGE")
  use_free_ports
  step "contents" check_contents
  step "start" start_service
  step "ingestion" ingest
  step "text answer" check_text
  step "spoken answer" check_speech
  step "written files" check_written_files
  step "stop" stop_service
  echo "The image works: $(size_of "$IMAGE"), $(size_of base) of which are the base."
}

import_base() {
  local tar base
  tar=$(scripts/image-base.sh)
  base=$(store from scratch)
  store add --quiet "$base" "$tar" /
  store commit --quiet --rm "$base" base
}

# npm's settings of this machine (registry, certificate authority) are lent to the build and stay out of the image.
build() {
  local authority secrets=()
  authority=$(npm config get cafile)
  [ "$authority" != null ] || authority=${NODE_EXTRA_CA_CERTS:-}
  for settings in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
    [ ! -e "$settings" ] || grep --invert-match '^cafile' "$settings" || true
  done >"$work/npmrc"
  echo "registry=$(npm config get registry)" >>"$work/npmrc"
  if [ -n "$authority" ]; then
    echo "cafile=/run/secrets/npm-ca" >>"$work/npmrc"
    secrets+=(--secret "id=npm-ca,src=$authority")
  fi
  store bud --isolation chroot --network host --format docker --pull-never --build-arg BASE_IMAGE=localhost/base \
    --secret "id=npmrc,src=$work/npmrc" "${secrets[@]}" --tag "$IMAGE" .
}

read_image_config() {
  user=$(image_config User)
  mapfile -t entrypoint < <(image_config Entrypoint)
  mapfile -t cmd < <(image_config Cmd)
  mapfile -t healthcheck < <(image_config Healthcheck.Test | tail --lines +2) # Without the leading CMD.
}

check_contents() {
  [[ $user =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] || fail "the image's user is \"$user\", which is not an unprivileged number"
  inside test ! -e /app/node_modules/typescript || fail "the image has development dependencies"
  inside test ! -e /run/secrets/npmrc || fail "the image has the builder's npm settings"
  inside "${entrypoint[@]}" config >"$work/config"
  grep --quiet '"data_dir": "/data"' "$work/config" || fail "the data directory is not /data: $(<"$work/config")"
}

# As process 1 of its own process namespace, under the image's user; it takes an administrator to make the namespace.
start_service() {
  store run --isolation chroot --user 0 --cap-add CAP_SYS_ADMIN "$container" -- unshare --pid --fork --mount-proc \
    setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups "${entrypoint[@]}" "${cmd[@]}" \
    >"$work/service.log" 2>&1 &
  service_pid=$!
  for ((second = 0; second < HEALTHY_SECONDS_MAX; second++)); do
    if inside "${healthcheck[@]}" 2>"$work/health"; then return; fi
    kill -0 "$service_pid" 2>/dev/null || fail "the service ended at once"
    sleep 1
  done
  fail "the service is not healthy after $HEALTHY_SECONDS_MAX s: $(<"$work/health")"
}

ingest() {
  store run --isolation chroot --volume "$PWD/examples/handbook:/documents:ro" "$container" -- \
    "${entrypoint[@]}" ingest /documents --network demo
}

check_text() {
  ask
  grep --quiet --ignore-case "$ANSWER" "$work/answer" || fail "the answer lacks \"$ANSWER\""
}

check_speech() {
  ask --voice /data/answer.ogg
  inside cat /data/answer.ogg >"$work/answer.ogg"
  opusinfo "$work/answer.ogg" >"$work/opusinfo" || fail "the spoken answer is no good Ogg Opus: $(<"$work/opusinfo")"
  grep --quiet 'Playback length' "$work/opusinfo" || fail "the spoken answer is empty: $(<"$work/opusinfo")"
  grep 'Playback length' "$work/opusinfo"
}

# So that the service runs on a read-only root, with nothing but /data to write to.
check_written_files() {
  local written
  written=$(inside find / -xdev -user "${user%:*}" -not -path '/data*' -not -path '/proc/*' -not -path '/dev/*' 2>/dev/null || true)
  [ -z "$written" ] || fail "written outside of /data: $written"
}

stop_service() {
  local status=0
  kill -TERM "$(process_1)"
  timeout "$STOPPED_SECONDS_MAX" tail --pid="$service_pid" --follow /dev/null || fail "SIGTERM does not stop the service"
  wait "$service_pid" || status=$?
  service_pid=
  [ "$status" -eq 0 ] || fail "the service ended with status $status"
  grep --quiet service_stopping "$work/service.log" || fail "the service did not say that it stops"
}

ask() {
  inside "${entrypoint[@]}" ask "$QUESTION" --network demo "$@" | tee "$work/answer"
}

# Runs a command in the container with the image's environment and user.
inside() {
  store run --isolation chroot "$container" -- "$@"
}

# buildah with a store of its own, so that the machine's images and containers are left alone.
store() {
  buildah --root "$work/store" --runroot "$work/run" "$@"
}

# Containers here share the machine's network, where the usual ports may be taken.
use_free_ports() {
  local ports
  mapfile -t ports < <(node -e '
    const servers = [0, 0, 0, 0].map(() => require("net").createServer().listen(0, "0.0.0.0"));
    for (const server of servers) server.on("listening", () => server.close(console.log(server.address().port)));
  ')
  store config --env "READBACK_RELAY_PORT=${ports[0]}" --env "READBACK_HTTP_PORT=${ports[1]}" \
    --env "READBACK_METRICS_PORT=${ports[2]}" --env "READBACK_GRPC_PORT=${ports[3]}" "$container"
}

# One setting of the image as an engine reads it: a list with one item a line.
image_config() {
  store inspect --type image "$IMAGE" | node -e '
    const config = JSON.parse(require("fs").readFileSync(0, "utf8")).Docker.config;
    const value = process.argv[1].split(".").reduce((object, name) => object[name], config);
    console.log([value].flat().join("\n"));
  ' "$1"
}

size_of() {
  store images --json "$1" | node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8"))[0].size'
}

# The process that is process 1 in the namespace that start_service made: where an engine would send its signals.
process_1() {
  local process=$service_pid
  until [ "$(awk '/^NSpid:/ { print $NF }' "/proc/$process/status")" = 1 ]; do
    process=$(pgrep --parent "$process")
  done
  echo "$process"
}

step() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@"
  echo "   $((SECONDS - start)) s"
}

fail() {
  echo "image:check: $1" >&2
  [ ! -e "$work/service.log" ] || cat "$work/service.log" >&2
  exit 1
}

clean_up() {
  if [ -n "$service_pid" ]; then
    kill -KILL "$(process_1)" 2>/dev/null || true
    wait "$service_pid" 2>/dev/null || true # buildah takes its mounts down.
  fi
  store rm --all >/dev/null || true
  rm -rf --one-file-system "$work"
}

main

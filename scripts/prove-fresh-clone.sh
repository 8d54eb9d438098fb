#!/usr/bin/env bash
# The README's two commands as a newcomer meets them: a fresh clone in a path with a space, an empty HOME, nothing but
# PATH in the environment. Then again after an orderly end, after kill -9 and beside a running service; as root also as
# an ordinary user.
# Usage: npm run lab -- prove-clone [npm command, for example "npx -y npm@12"]
set -euo pipefail

npm_command=${1:-npm}
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tally clone.XXXXXX")
service=
log=$work/start.log
# The caller's own PATH without a project's node_modules: the clone must find its own.
path=$(printf '%s' "$PATH" | tr ':' '\n' | grep -v node_modules | paste -sd:)

finish() {
  [ -z "$service" ] || kill -KILL -- "-$service" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() { echo "FAILED $1" >&2; [ ! -s "$log" ] || tail -n 20 "$log" >&2; exit 1; }
say() { printf '%-62s %s\n' "$1" "${2:-}"; }

# Runs a command with an empty environment, as the user that is being proven.
as_user() {
  local become=()
  [ "$user" = self ] || become=(setpriv --reuid "$user" --regid "$group" --clear-groups)
  "${become[@]}" env -i PATH="$path" HOME="$home" DATA_DIR="$data" PORT="$port" "$@"
}

start() {
  : >"$log"
  local before after
  before=$(date +%s%N)
  (cd "$clone" && as_user setsid bash -c "echo \$\$ >'$home/pid'; exec $npm_command start" >>"$log" 2>&1 </dev/null) &
  for _ in $(seq 1 1200); do
    grep -q '^ready http' "$log" && break
    grep -qE 'npm (ERR|error)' "$log" && fail "$1 did not become ready"
    sleep 0.1
  done
  grep -q '^ready http' "$log" || fail "$1 did not become ready in two minutes"
  after=$(date +%s%N)
  service=$(cat "$home/pid")
  say "$1" "$(grep '^ready http' "$log") after $(((after - before) / 1000000)) ms"
}

count() {
  local key answer
  key=$(sed -n 's/.*"api_key": "\([^"]*\)".*/\1/p' "$data/first-run.json")
  answer=$(curl -sS -m 10 "http://127.0.0.1:$port/v1/messages/count_tokens" -H "x-api-key: $key" \
    -H 'svc-version: 2023-06-01' -H 'content-type: application/json' \
    -d '{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"Hello, world"}]}')
  case $answer in
    *'"input_tokens":'*) say '  a count with the key of first-run.json' "$answer" ;;
    *) fail "the count answered: $answer" ;;
  esac
}

# Processes that work in the data directory; none may be left once the service has ended.
left_behind() {
  local found='' at
  for entry in /proc/[0-9]*; do
    at=$(readlink "$entry/cwd" 2>/dev/null || true)
    case $at in "$data"*) found="$found ${entry#/proc/}" ;; esac
  done
  printf '%s' "$found"
}

wait_for_end() {
  for _ in $(seq 1 300); do
    if [ -z "$(left_behind)" ] && [ -z "$(pgrep -g "$service" || true)" ]; then
      service=
      say "  $1" 'nothing left behind'
      return
    fi
    sleep 0.1
  done
  fail "$1: left behind:$(left_behind) $(pgrep -ag "$service" || true)"
}

prove() {
  user=$1 group=$2
  home=$work/home-$user data="$work/data of $user" clone="$work/clone of $user" port=$3
  local who
  who=$([ "$user" = self ] && id -un || echo "user id $user")
  say "== as $who with $($npm_command --version), Node $(PATH=$path node --version)"
  mkdir -p "$home"
  git clone -q "$source_folder" "$clone"
  if [ "$user" != self ]; then
    chmod 755 "$work"
    chown -R "$user:$group" "$clone" "$home"
    install -d -o "$user" -g "$group" -m 700 "$data"
  fi
  local before=$SECONDS
  (cd "$clone" && as_user bash -c "$npm_command ci" >"$log" 2>&1 </dev/null) || fail 'npm ci'
  local size
  size=$(du -sm "$clone/node_modules" | cut -f1)
  say 'npm ci' "$((SECONDS - before)) s, $size MB, $("$clone/node_modules/.bin/node" --version)"
  start 'first npm start'
  [ "$(stat -c %a "$data/first-run.json")" = 600 ] || fail 'first-run.json is readable by others'
  count
  second_start
  kill -TERM -- "-$service"
  wait_for_end 'SIGTERM'
  start 'second npm start'
  count
  kill -KILL -- "-$service"
  wait_for_end 'SIGKILL of everything'
  start 'npm start after kill -9'
  count
  if [ "$npm_command" = npm ]; then # npx stands between, and its npm would live on
    kill -KILL "$service"
    wait_for_end 'SIGKILL of npm alone'
    start 'npm start after kill -9 of npm'
    count
  fi
  kill -INT -- "-$service"
  wait_for_end 'SIGINT'
}

second_start() {
  local said code=0
  said=$(cd "$clone" && as_user PORT=0 bash -c "$npm_command start --silent" 2>&1 </dev/null) || code=$?
  # npx, where that is how npm is run, has warnings of its own.
  said=$(printf '%s\n' "$said" | grep -v '^npm warn')
  [ "$code" -ne 0 ] || fail "a second start on the same data directory was not refused: $said"
  [ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "a second start was refused in more than one line: $said"
  say '  second start on the same data directory, exit code' "$code: $said"
}

port=$((20000 + RANDOM % 20000))
prove self self "$port"
# The account that every Unix has for processes without rights; nothing is added to the machine.
if [ "$(id -u)" = 0 ]; then prove "$(id -u nobody)" "$(id -g nobody)" "$((port + 1))"; fi
say 'everything worked'

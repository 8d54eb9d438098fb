#!/bin/sh
# test/slow/build-citus.sh [source folder]: builds Citus from its public source for the PostgreSQL that pg_config
# names (PG_CONFIG, else the one in PATH) and installs it there. Without a folder it fetches the source with git.
# Wants the server's headers and a C compiler; on Debian:
#   apt-get install postgresql-server-dev-15 build-essential flex liblz4-dev libzstd-dev libssl-dev libkrb5-dev \
#     libxml2-dev libxslt1-dev libselinux1-dev libpam0g-dev libreadline-dev
set -eu
version=v13.2.2
config=${PG_CONFIG:-pg_config}
if ! command -v "$config" >/dev/null; then
  echo "There is no $config: install PostgreSQL and its headers, or set PG_CONFIG." >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then
  cp -R "$1" "$work/citus"
else
  git clone --quiet --depth 1 --branch "$version" https://github.com/citusdata/citus.git "$work/citus"
fi
cd "$work/citus"
# PostgreSQL exports a function of this name since the releases of 2026, which Citus $version defines for itself.
if grep -q have_createdb_privilege "$("$config" --includedir-server)/commands/dbcommands.h" 2>/dev/null; then
  grep -rl have_createdb_privilege src/backend src/include |
    xargs sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
fi
PG_CONFIG=$config ./configure --quiet --without-libcurl
make -s -j"$(getconf _NPROCESSORS_ONLN)" install
echo "Installed Citus $version into $("$config" --pkglibdir)."

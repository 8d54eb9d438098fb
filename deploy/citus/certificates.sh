#!/bin/sh
# certificates.sh FOLDER NAME:OWNER…: issues the TLS certificates of a cluster with openssl. Each NAME is the host name
# of a server, or "owner" for the login that migrates. It gets a folder of its own with ca.crt, tls.crt and tls.key,
# which belong to the account OWNER. FOLDER/authority has the key that signs them: keep it away from every server.
# Certificates are kept until 30 days before their end. After a renewal restart the servers.
set -eu
umask 077
folder=$1
shift
authority=$folder/authority
mkdir -p "$authority"
# Prints the options of a request for a new key with this name.
new_key() { echo "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=$1"; }
if [ ! -e "$authority/ca.crt" ]; then
  openssl req $(new_key 'Tally-cluster') -days 3650 -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout "$authority/ca.key" -out "$authority/ca.crt"
fi
for entry in "$@"; do
  name=${entry%%:*}
  owner=${entry#*:}
  target=$folder/$name
  mkdir -p "$target"
  if ! openssl x509 -checkend 2592000 -noout -in "$target/tls.crt" >/dev/null 2>&1; then
    # Citus also connects from a server to itself, as localhost.
    openssl req $(new_key "$name") -days 730 -addext "subjectAltName=DNS:$name,DNS:localhost" \
      -addext basicConstraints=critical,CA:false -CA "$authority/ca.crt" -CAkey "$authority/ca.key" \
      -keyout "$target/tls.key" -out "$target/tls.crt"
  fi
  cp "$authority/ca.crt" "$target/ca.crt"
  # Certificates are public. Copied to another machine, every account must be able to read them.
  chmod 644 "$target/ca.crt" "$target/tls.crt"
  chown -R "$owner" "$target"
done

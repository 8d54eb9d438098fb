#!/usr/bin/env bash
# fill-secrets.sh FILE: gives each empty password, key and token of a file of settings a random value, for the nightly workflow.
set -euo pipefail
while IFS= read -r line; do
  if [[ $line =~ ^[A-Z_]+(PASSWORD|KEY|TOKEN)=$ ]]; then line+=$(openssl rand -hex 32); fi
  if [[ $line == IDP_WEBHOOK_SECRET= ]]; then line+=whsec_$(openssl rand -base64 32); fi
  printf '%s\n' "$line"
done <"$1" >"$1.filled"
mv "$1.filled" "$1"

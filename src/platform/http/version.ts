import { readFileSync } from 'node:fs';

/** The version of this installation, as `package.json` says it. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

import { readFileSync } from 'node:fs';

/** Returns the version of this installation from `package.json`. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

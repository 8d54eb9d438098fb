import { readFileSync } from 'node:fs';
import { settings } from '../src/config.ts';

/** Compares the names in .env.example with the settings of src/config.ts, both ways; exit code 1 where they differ. */
const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
const documented = new Set([...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!));
const known = new Set(Object.keys(settings.shape));

const undocumented = [...known].filter((name) => !documented.has(name));
const unknown = [...documented].filter((name) => !known.has(name));
for (const name of undocumented)
  console.error(
    `.env.example does not mention ${name}, which src/config.ts reads: say what it does and what empty means.`,
  );
for (const name of unknown)
  console.error(`.env.example mentions ${name}, which src/config.ts does not read: remove it, or read it there.`);
console.log(`${known.size} settings, ${undocumented.length} undocumented, ${unknown.length} unknown`);
process.exitCode = undocumented.length + unknown.length > 0 ? 1 : 0;

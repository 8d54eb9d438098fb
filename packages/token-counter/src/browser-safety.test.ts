import { test } from 'vitest';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /^(src|data)[\\/].*\.[jt]s$/.test(name) && !/\.test\.ts$|\.d\.ts$/.test(name),
);

test('uses no Node API and imports nothing from outside its folder', () => {
  assert.ok(sources.length > 40);
  for (const name of sources) {
    const source = readFileSync(join(folder, name), 'utf8');
    for (const [, specifier = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      assert.match(specifier, /^\.\.?\//, `${name} imports ${specifier}`);
      assert.ok(join(folder, name, '..', specifier).startsWith(folder), `${name} reaches outside by ${specifier}`);
    }
    // read-units.ts uses `Buffer` if it exists, and is tested without it.
    if (name !== join('src', 'tokenizer', 'read-units.ts')) assert.doesNotMatch(source, /\bBuffer\b/, name);
    assert.doesNotMatch(source, /\bprocess\.|\brequire\(|\b__dirname\b/, name);
  }
});

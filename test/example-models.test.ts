import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'vitest';
import { listModels, resolveModel } from '../packages/token-counter/src/index.ts';
import { exampleRequest } from '../src/features/site/ui/example-request.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Models that a newcomer copies from an example, in code or JSON. */
const examples: [place: string, id: string][] = [
  ['the developers’ page', exampleRequest.model],
  ...['README.md', ...readdirSync(new URL('docs/', root), { recursive: true }).map((name) => `docs/${String(name)}`)]
    .filter((path, index, all) => /\.(md|json)$/.test(path) && all.indexOf(path) === index)
    .flatMap((path) =>
      [...read(path).matchAll(/["']?(?:model|id)["']?: ?["'](claude-[a-z0-9-]+)["']/g)].map(
        ([, id]): [string, string] => [path, id!],
      ),
    ),
];

/** Time in ms after a release within which the provider has withdrawn no model so far. */
const LASTING_MS = 365 * 86_400_000;

test('names only active models that are at most a year older than the newest', () => {
  assert.ok(examples.some(([file]) => file === 'README.md') && examples.length > 5);
  const newest = Math.max(...listModels().map((row) => Date.parse(row.createdAt)));
  for (const [file, id] of examples) {
    const model = resolveModel(id);
    assert.equal(model?.status, 'active', `${file} names ${id}`);
    assert.ok(newest - Date.parse(model.createdAt) < LASTING_MS, `${file} names ${id}: name a newer model`);
  }
});

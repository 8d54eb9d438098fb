import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { routePaths } from '../route-paths.ts';

const read = (url: URL): string => readFileSync(url, 'utf8');

test('shows every component of the kit', () => {
  const gallery = new URL('./', import.meta.url);
  const source = readdirSync(gallery)
    .filter((name) => name.endsWith('-samples.tsx') || name === 'gallery.tsx')
    .map((name) => read(new URL(name, gallery)))
    .join('');
  const components = readdirSync(new URL('../../kit/', import.meta.url)).filter(
    (name) => name.endsWith('.tsx') && !name.startsWith('use-'),
  );
  assert.ok(components.length > 15);
  assert.deepEqual(
    components.filter((name) => !source.includes(`/kit/${name}'`)),
    [],
    'show these components in the gallery',
  );
});

test('shows every color and size of the design tokens', () => {
  const tokens = read(new URL('../styles/tokens.css', import.meta.url));
  const samples = read(new URL('./token-samples.tsx', import.meta.url));
  const names = [...tokens.matchAll(/^ {2}--(?:color|text|spacing|radius)-([\w-]+):/gm)]
    .map(([, name]) => name!)
    .filter((name) => !name.endsWith('--line-height'));
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`'(text-)?${name}[' ]`).test(samples)),
    [],
  );
});

test('is no page of the product and adds no class to its styles', () => {
  assert.ok(!routePaths.some((path) => path.startsWith('/dev/')));
  assert.match(read(new URL('../styles/main.css', import.meta.url)), /@source not "\.\.\/gallery";/);
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

// The sizes of most elements are in class names, which no linter of style sheets reads.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const steps = new Set([...tokens.matchAll(/--spacing-(\w+):/g)].map(([, name]) => name!.replace('_', '.')));
const rems = new Set([...tokens.matchAll(/--spacing-\w+: ([\d.]+)rem/g)].map(([, value]) => Number(value)));

/** Paddings, margins and gaps with a step or a value in brackets. Positions and dimensions have no scale. */
const SPACING_CLASS =
  /(?<![\w-])-?(?:[pm][xytrblse]?|gap(?:-[xy])?|space-[xy])-([\d.]+|bar|\[(?![\d.]+vh)[^\]]*\])(?![\w-])/g;
const UNSCALED_CLASS = /(?<![\w-])(?:text|rounded(?:-[a-z]+)?)-\[(?!color:)[^\]]*\]/g;
const SPACING_RULE = /(?<![\w-])(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?: ([^;]+);/g;
const UNSCALED_RULE = /(?<![\w-])(?:font-size|border-radius): (?!100%|[^;]*var\(--(?:text|radius)-)[^;]+;/g;

const readAll = (pattern: string): [string, string][] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => [file, readFileSync(`${root}${file}`, 'utf8')]);

test('uses only sizes of the scale in class names', () => {
  const sources = [...readAll('src/ui/**/*.{ts,tsx}'), ...readAll('src/features/**/ui/**/*.{ts,tsx}')];
  assert.ok(sources.length > 250, `only ${sources.length} files were read`);
  const strays = sources.flatMap(([file, text]) => [
    ...[...text.matchAll(SPACING_CLASS)]
      .filter(([, step]) => step !== '0' && !steps.has(step!))
      .map(([name]) => `${file}: ${name}`),
    ...[...text.matchAll(UNSCALED_CLASS)].map(([name]) => `${file}: ${name}`),
  ]);
  assert.deepEqual(strays, [], 'use a step of tokens.css');
});

test('uses only sizes of the scale in style sheets', () => {
  const sheets = [...readAll('src/ui/**/*.css'), ...readAll('src/features/**/*.css')];
  assert.ok(sheets.length > 5);
  const strays = sheets.flatMap(([file, text]) => [
    ...[...text.matchAll(SPACING_RULE)]
      .filter(([, value]) =>
        [...value!.matchAll(/(?<![\w.-])([\d.]+)(rem|px)/g)].some(
          ([, size, unit]) => Number(size) !== 0 && !rems.has(unit === 'px' ? Number(size) / 16 : Number(size)),
        ),
      )
      .map(([rule]) => `${file}: ${rule}`),
    ...[...text.matchAll(UNSCALED_RULE)].map(([rule]) => `${file}: ${rule}`),
  ]);
  assert.deepEqual(strays, [], 'use a step of tokens.css');
});

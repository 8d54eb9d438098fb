import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Returns the compound selectors with `:has()` before `~` or `+` that name no class, id or attribute: `li:has(> .open)` of
 * `li:has(> .open) ~ li`. Class names write a space as an underscore.
 */
function listUnnamedSiblings(text: string): string[] {
  return [...text.matchAll(/(?<compound>[^\s>~+,{}&'"`_]*):has\(/g)].flatMap(({ index, 0: start, groups }) => {
    let end = index + start.length;
    for (let open = 1; open > 0 && end < text.length; end += 1) open += { '(': 1, ')': -1 }[text[end]!] ?? 0;
    const isBeforeSibling = /^[\s_]*[~+]/.test(text.slice(end));
    return isBeforeSibling && !/[.#[]/.test(groups!['compound']!) ? [text.slice(index, end)] : [];
  });
}

test.for([
  ['li:has(> .open) ~ li', ['li:has(> .open)']],
  ['[&>:has(.skeleton)~*]:invisible', [':has(.skeleton)']],
  ['[&>*:has(:is(a, b:not(.c)))_+_p]:hidden', ['*:has(:is(a, b:not(.c)))']],
  ['h2:has(b)+p', ['h2:has(b)']],
  ['[&>.card:has(.skeleton)~*]:invisible [&>li[id]:has(>b)~li]:hidden', []],
  ['has-data-empty:grow .choice:has(:checked) { } label:has(input) > p', []],
] as const)('lists the unnamed siblings of %s', ([text, expected]) => {
  assert.deepEqual(listUnnamedSiblings(text), expected);
});

// Otherwise a browser checks all siblings of each element that is inserted or removed, on every page.
test('names a class, id or attribute wherever :has() is before a sibling', () => {
  const files = globSync(['src/{ui,features}/**/*.{ts,tsx,css}'], { cwd: root, exclude: ['**/*.test.ts'] });
  assert.ok(files.length > 250, `only ${files.length} files were read`);
  const strays = files.flatMap((file) =>
    listUnnamedSiblings(readFileSync(`${root}${file}`, 'utf8')).map((selector) => `${file}: ${selector}`),
  );
  assert.deepEqual(strays, []);
});

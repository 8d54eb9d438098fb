import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectWith } from './support/house-tree.ts';

/** How app.ts stops being a list that is read from top to bottom → the place that must be named. */
const spoilt: [what: string, changes: Record<string, string>, expected: string][] = [
  [
    'app.ts hands over a function of what is made further down',
    {
      'src/app.ts':
        "import { addReferralRoutes } from './referrals/routes.ts';\nexport const createApp = () => {\n" +
        '  const early = () => late.push(1);\n  const late = [addReferralRoutes, early] as unknown[];\n' +
        '  return late;\n};\n',
    },
    'src/app.ts:3 [app]',
  ],
  [
    'app.ts hands over a function that was taken apart further down',
    {
      'src/app.ts':
        'export const createApp = (rooms: { find: () => void }[]) => {\n  const list = { early: (n: number) ' +
        '=> n && find() };\n  const [{ find }] = rooms as never;\n  return [list];\n};\n',
    },
    'src/app.ts:2 [app]',
  ],
  [
    'app.ts fills something in later',
    {
      'src/app.ts':
        'export const createApp = () => {\n  const room = { app: 0 };\n  room.app = 1;\n  return [room];\n};\n',
    },
    'src/app.ts:3 [app]',
  ],
  [
    'app.ts keeps a place to fill in',
    { 'src/app.ts': 'export const createApp = () => {\n  let page;\n  return [() => page];\n};\n' },
    'src/app.ts:2 [app]',
  ],
  [
    'app.ts is no list any more',
    { 'src/app.ts': `export const createApp = () => [];\n${'export {};\n'.repeat(220)}` },
    'src/app.ts [app]',
  ],
];

for (const [what, changes, expected] of spoilt) {
  test(`the house reports: ${what}`, () => {
    const found = inspectWith(changes).filter((problem) => problem.startsWith('src/app.ts'));
    assert.deepEqual([found.length, found[0]?.startsWith(expected)], [1, true], found.join('\n'));
  });
}

test('app.ts may hand over a function that calls what stands above it, and name a parameter as it likes', () => {
  const text = `import { addReferralRoutes } from './referrals/routes.ts';
addReferralRoutes.pop();
export const createApp = (list: unknown[]) => {
  const add = (late: number) => list.push(late, { late: 1 });
  const late = () => add(1);
  return late;
};
`;
  assert.deepEqual(inspectWith({ 'src/app.ts': text }), []);
});

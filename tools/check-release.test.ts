import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { listReleaseProblems, type ReleaseState } from './check-release.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const changelog =
  '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n- A thing.\n\n' +
  '## [0.1.0] - 2026-11-22\n\n- All.\n';
const releasable: ReleaseState = {
  version: '0.2.0',
  packageVersion: '0.1.0',
  changelog,
  notes: '# Tally 0.2.0\n',
  onMain: true,
  tagged: false,
  today: '2026-12-01',
};

test('accepts a release that is ready, with and without its tag', () => {
  assert.deepEqual(listReleaseProblems(releasable), []);
  assert.deepEqual(
    listReleaseProblems({ ...releasable, tagged: true, packageVersion: '0.2.0', today: '2027-01-01' }),
    [],
  );
});

const unreleasable: [what: string, state: Partial<ReleaseState>, reason: RegExp][] = [
  ['from a branch', { onMain: false }, /created from main/],
  ['without a version', { version: '' }, /not a release version/],
  ['of a pre-release version', { version: '0.2.0-rc.1' }, /not a release version/],
  [
    'whose tag is not the version of the package',
    { tagged: true },
    /The tag is 0\.2\.0, but package\.json has 0\.1\.0/,
  ],
  [
    'whose changes are under Unreleased',
    { changelog: changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- New.\n') },
    /still has lines/,
  ],
  [
    'without the section for the next changes',
    { changelog: changelog.replace('## [Unreleased]', '') },
    /no section \[Unreleased\]/,
  ],
  ['without a line in the changelog', { version: '0.3.0', notes: '0.3.0' }, /no entries under \[0\.3\.0\]/],
  ['without a date', { changelog: changelog.replace(' - 2026-12-01', '') }, /no date up to today/],
  ['dated tomorrow', { today: '2026-11-30' }, /no date up to today/],
  ['without notes for its tag', { notes: undefined }, /\.github\/releases\/0\.2\.0\.md does not exist/],
];
for (const [what, state, reason] of unreleasable) {
  test(`rejects a release ${what}`, () => {
    const reasons = listReleaseProblems({ ...releasable, ...state });
    assert.equal(reasons.length, 1, reasons.join('\n'));
    assert.match(reasons[0]!, reason);
  });
}

test('checks the named version, or else that of the package', () => {
  const { version: packageVersion } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  for (const [args, version] of [
    [[], packageVersion],
    [['99.0.0'], '99.0.0'],
  ] as const) {
    const { stdout, stderr } = spawnSync(process.execPath, ['tools/check-release.ts', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.ok(`${stdout}${stderr}`.includes(version));
    assert.doesNotMatch(stderr, /not a release version/);
  }
});

test('finds notes for every release that the changelog names', () => {
  const text = readFileSync(`${root}CHANGELOG.md`, 'utf8');
  const versions = [...text.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version]) => version);
  assert.ok(versions.length > 0, 'there is a release');
  for (const version of versions) assert.ok(existsSync(`${root}.github/releases/${version}.md`), version);
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { buildFolder } from './build-folder.ts';

test('leaves one complete folder when two builds run at once', async (t) => {
  const dist = await mkdtemp(join(tmpdir(), 'tally build '));
  t.onTestFinished(() => rm(dist, { recursive: true, force: true }));
  let building = 0;
  const bothAreBuilding = Promise.withResolvers<void>();
  const make = async (folder: string): Promise<void> => {
    building += 1;
    if (building === 2) bothAreBuilding.resolve();
    await bothAreBuilding.promise;
    await mkdir(folder);
    for (const name of ['proof.txt', 'other.txt']) await writeFile(join(folder, name), `${name} of ${folder}`);
  };
  const build = (): Promise<boolean> =>
    buildFolder(
      { dist, name: 'made', inputs: ['tools/build-folder.ts'], sentinelFile: 'proof.txt', build: make },
      { ifStale: true },
    );

  assert.deepEqual(await Promise.all([build(), build()]), [true, true]);
  assert.deepEqual((await readdir(dist)).sort(), ['made', 'made.stamp'], 'nothing is left behind');
  const [sentinel, other] = await Promise.all(
    ['proof.txt', 'other.txt'].map((name) => readFile(join(dist, 'made', name), 'utf8')),
  );
  assert.equal(sentinel!.split(' of ')[1], other!.split(' of ')[1], 'both files are of one build');

  assert.equal(await build(), false);
  await writeFile(join(dist, 'made.stamp'), 'of other sources');
  assert.equal(await build(), true);
  await rm(join(dist, 'made/proof.txt'));
  assert.equal(await build(), true);
  assert.equal(await build(), false);
});

// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildWeb } from './build-web.ts';

// Runs in a process of its own, because the bundler uses half a gigabyte, which is released when the process ends.

test('writes a complete, compressed app and keeps recent files for open pages', async (t) => {
  const dist = await mkdtemp(join(tmpdir(), 'tally build '));
  t.onTestFinished(() => rm(dist, { recursive: true, force: true }));
  await mkdir(join(dist, 'web/assets'), { recursive: true });
  await writeFile(join(dist, 'web/assets/page-of-before.js'), 'an open page still requests it');
  await writeFile(join(dist, 'web/assets/page-of-long-ago.js'), 'no page names it');
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(dist, 'web/assets/page-of-long-ago.js'), longAgo, longAgo);

  assert.equal(await buildWeb({ ifStale: true, dist }), true);
  const built = ['api-reference', 'api-reference.stamp', 'web', 'web.stamp'];
  assert.deepEqual((await readdir(dist)).sort(), built, 'nothing is left behind');
  const html = await readFile(join(dist, 'web/index.html'), 'utf8');
  const assets = [...html.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(
    assets.some((path) => path.endsWith('.js')) && assets.some((path) => path.endsWith('.woff2')),
    assets.join(),
  );
  for (const path of assets) assert.ok((await stat(join(dist, 'web', path))).size > 0, path);
  const script = assets.find((path) => path.endsWith('.js'))!;
  const bytes = await readFile(join(dist, 'web', script));
  assert.deepEqual(brotliDecompressSync(await readFile(join(dist, 'web', `${script}.br`))), bytes);
  assert.deepEqual(gunzipSync(await readFile(join(dist, 'web', `${script}.gz`))), bytes);
  assert.equal(process.env['NODE_ENV'], 'test');
  const assetNames = await readdir(join(dist, 'web/assets'));
  for (const name of assetNames.filter((file) => file.endsWith('.js')))
    assert.doesNotMatch(
      await readFile(join(dist, 'web/assets', name), 'utf8'),
      /jsxDEV/,
      `development code in ${name}`,
    );
  assert.deepEqual(
    [assetNames.includes('page-of-before.js'), assetNames.includes('page-of-long-ago.js')],
    [true, false],
  );
  assert.equal(await buildWeb({ ifStale: true, dist }), false);
});

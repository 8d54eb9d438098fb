import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildEntryPage } from './build-web/entry-page.ts';
import { buildWeb } from './build-web.ts';

test('two builds at once leave one whole app; what is fresh is not built again; what is broken is', async (t) => {
  const dist = await mkdtemp(join(tmpdir(), 'tally build '));
  t.after(() => rm(dist, { recursive: true, force: true }));
  assert.deepEqual(await Promise.all([buildWeb({ ifStale: true, dist }), buildWeb({ ifStale: true, dist })]), [
    true,
    true,
  ]);
  assert.deepEqual((await readdir(dist)).sort(), ['web', 'web.stamp'], 'nothing is left behind');

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

  assert.equal(await buildWeb({ ifStale: true, dist }), false);
  await writeFile(join(dist, 'web/assets/page-of-before.js'), 'an open page still asks for it');
  await writeFile(join(dist, 'web/assets/page-of-long-ago.js'), 'no page names it');
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(dist, 'web/assets/page-of-long-ago.js'), longAgo, longAgo);
  await writeFile(join(dist, 'web.stamp'), 'of other sources');
  assert.equal(await buildWeb({ ifStale: true, dist }), true);
  const kept = await readdir(join(dist, 'web/assets'));
  assert.deepEqual([kept.includes('page-of-before.js'), kept.includes('page-of-long-ago.js')], [true, false]);
  await rm(join(dist, 'web/index.html'));
  assert.equal(await buildWeb({ ifStale: true, dist }), true);
});

test('the entry page is one file, whose first statement takes the fragment off the address', async () => {
  const document = await buildEntryPage(['chrome125']);
  const { index, 1: script = '' } = /<script>([^]*)<\/script>/.exec(document)!;
  assert.match(document.slice(0, index), /<head>\s*<meta charset="utf-8" \/>\s*$/, 'nothing runs before it');
  const [, take] = /^\(function\(\)\{var \w+=(\w+)\(\)[,;]/.exec(script) ?? [];
  assert.ok(take, script.slice(0, 80));
  const body = new RegExp(`function ${take}\\(\\)\\{(.*?)\\}function`).exec(script)?.[1] ?? '';
  assert.match(body, /^let\{.*\}=location;return.*history\.replaceState\(/);
  const markup = document.replace(script, '');
  assert.deepEqual(markup.match(/\s(src|href)=\S*|url\(|@import|@font-face/g), null, 'it names no other file');
});

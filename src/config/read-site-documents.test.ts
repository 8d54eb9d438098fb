import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { ConfigError } from './load-config.ts';
import { readSiteDocuments } from './read-site-documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tally-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('reads the files that are set, without a byte order mark', () => {
  const PRIVACY_FILE = write('privacy.md', '\uFEFF# Datenschutz: für alle\n');
  assert.deepEqual(readSiteDocuments({ PRIVACY_FILE, TERMS_FILE: undefined }), {
    privacy: '# Datenschutz: für alle\n',
  });
  assert.deepEqual(readSiteDocuments({ PRIVACY_FILE: undefined, TERMS_FILE: undefined }), {});
  const largest = write('largest.md', 'x'.repeat(262_144));
  assert.equal(readSiteDocuments({ PRIVACY_FILE: undefined, TERMS_FILE: largest }).terms?.length, 262_144);
});

test('names the setting of an unusable file and the problem', () => {
  for (const [path, problem] of [
    [join(folder, 'missing.md'), 'does not exist'],
    [folder, 'is not a file'],
    [write('empty.md', ' \n'), 'is empty'],
    [write('large.md', 'x'.repeat(262_145)), 'is larger than 262144 bytes'],
    [write('latin1.md', Buffer.from('für', 'latin1')), 'is not UTF-8 text'],
  ] as const)
    for (const setting of ['PRIVACY_FILE', 'TERMS_FILE'] as const)
      assert.throws(
        () => readSiteDocuments({ PRIVACY_FILE: undefined, TERMS_FILE: undefined, [setting]: path }),
        (error) =>
          error instanceof ConfigError && error.message === `The setting ${setting} names ${path}, which ${problem}.`,
        problem,
      );
});

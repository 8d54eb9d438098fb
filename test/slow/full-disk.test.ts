// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { exitCode } from '../../src/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service-process.ts';

/* A first start on disks that become full while the database is created, migrated and seeded. */

/** Mounts a file system in memory of this size. Returns undefined where only root may do so. */
function mountDisk(t: TestContext, megabytes: number): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tally-full-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  t.onTestFinished(async () => {
    // A server that is still ending keeps the file system busy.
    await eventually(() => {
      try {
        execFileSync('umount', [folder], { stdio: 'ignore' });
        return true;
      } catch {
        return false;
      }
    });
    rmdirSync(folder);
  });
  return folder;
}

for (const megabytes of [1, 12, 20, 28, 36, 40, 44, 50, 58])
  test(`says that the disk is full when it has ${megabytes} MB`, async (t) => {
    const disk = mountDisk(t, megabytes);
    if (disk === undefined) return t.skip('only root mounts a disk');
    const service = startService({ DATA_DIR: join(disk, 'data') });
    await assert.rejects(service.ready);
    expect(service.output()).toMatch(/^tally start: .*(on a full disk|disk of the database is full)/m);
    // The start is repeated, and succeeds once there is space.
    assert.equal(await service.end('SIGTERM'), exitCode.retryLater);
  });

test('says that the disk is full when it became full after the first start', async (t) => {
  const disk = mountDisk(t, 300);
  if (disk === undefined) return t.skip('only root mounts a disk');
  const settings = { DATA_DIR: join(disk, 'data') };
  const first = startService(settings);
  await first.ready;
  await first.end('SIGTERM');
  assert.throws(() => writeFileSync(join(disk, 'other'), Buffer.alloc(300 * 1024 ** 2)), { code: 'ENOSPC' });
  const second = startService(settings);
  await assert.rejects(second.ready);
  expect(second.output()).toMatch(/^tally start: .* is on a full disk/m);
  assert.equal(await second.end('SIGTERM'), exitCode.retryLater);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { findNative } from './binaries.ts';
import { createCluster } from './cluster.ts';
import { createRuntimeFolder } from './runtime-folder.ts';

test('describes problem and remedy when the account has no name', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not root, so no other account can be taken on');
  const account = { uid: 64_321, gid: 64_321 };
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-cluster-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const runtime = await createRuntimeFolder(await findNative(), account);
  t.onTestFinished(() => runtime.remove());
  await assert.rejects(
    createCluster({ dataDir, native: runtime.native, account, scratch: runtime.path, durable: false }),
    {
      message:
        'The embedded PostgreSQL needs an account with a name, and user id 64321 has no entry in /etc/passwd; ' +
        'add one, start as another user, or set DB_URL to a PostgreSQL of your own.',
    },
  );
});

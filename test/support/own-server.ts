import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../../src/platform/database/embedded.ts';
import { prepareData } from './prepared-data.ts';

/** Passwords of the logins on servers that tests start. */
export const serverSecrets = { authenticator: 'first', service: 'second', assistant: 'third' };

/** Starts a server without our roles, like an operator's server before the setup. It ends with the test. */
export async function startDedicatedServer(t: TestContext): Promise<EmbeddedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-own-'));
  await prepareData(dataDir);
  const server = await startEmbedded({ dataDir, secrets: serverSecrets, throwaway: true });
  t.onTestFinished(() => server.stop());
  return server;
}

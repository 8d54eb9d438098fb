import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { OnConnected } from '../../src/features/connections/context.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { recordFirstConnection } from '../../src/features/referrals/mark-completed.ts';
import { startConnectionsApp } from './connections-app.ts';

/** A fake of referrals that counts each outcome in a table of the test. */
export const completeReferrals: OnConnected = async (sql, idpId, connection) => {
  const silentMetrics = { countReport: () => {}, countRateLimited: () => {}, countCycle: () => {} };
  const accounts = { demoAccountId: 'user_demo', sampleUserId: 'user_sample' };
  const lookUp = () => Promise.resolve({ found: 'no' } as const);
  const context = { sql, accounts, lookUp, logger: createLogger('silent'), metrics: silentMetrics };
  const first = await recordFirstConnection(context, sql, { idpId, ...connection });
  await sql.query('insert into public.reported_connections (idp_id, first) values ($1, $2)', [idpId, first]);
};

/** Starts connections with a worker in a second process of the deployment, on the database of the first. */
export async function startSecondProcess(database: string): Promise<{
  url: string;
  /** Runs a task of the feature in the second process. */
  run(task: string): Promise<void>;
  stop(): Promise<void>;
}> {
  // This variable would make the process a test file.
  const { NODE_TEST_CONTEXT: _none, ...env } = process.env;
  const child = fork(import.meta.filename, [database], { env, execArgv: [] });
  const ended = once(child, 'exit');
  const readReports = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('The second process has ended.'))),
    ]);
    return message as unknown;
  };
  const { url } = (await readReports()) as { url: string };
  return {
    url,
    async run(task) {
      const done = readReports();
      child.send(task);
      await done;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

if (import.meta.main) {
  const app = await startConnectionsApp({ existingDatabase: process.argv[2]!, onConnected: completeReferrals });
  await app.startWork();
  process.on('message', (task: string) => {
    void app.connections.tasks![task]!({} as never, {} as never).then(() => process.send!({ done: task }));
  });
  process.once('disconnect', () => {
    void app.close().then(() => process.exit(0));
  });
  process.send!({ url: app.url });
}

import { join } from 'node:path';
import { buildLibrary } from '../../tools/build-library.ts';
import { buildWeb } from '../../tools/build-web.ts';
import { CLUSTER_VARIABLE, startTestCluster } from './cluster.ts';
import { runInMemoryFolder } from './memory-folder.ts';

/** Builds web app and library and starts one PostgreSQL server before the tests of a run. */
export default async function setup(): Promise<() => Promise<void>> {
  await Promise.all([buildWeb({ ifStale: true }), buildLibrary({ ifStale: true })]);
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/tests');
  // Tests can run on an existing server, such as the coordinator of a Citus cluster.
  if (process.env[CLUSTER_VARIABLE]) return async () => {};
  const removeTemporary = await runInMemoryFolder();
  const cluster = await startTestCluster();
  Object.assign(process.env, cluster.env);
  return async () => {
    await cluster.stop();
    // The browser tests start in this process and need their own server.
    for (const name of Object.keys(cluster.env)) delete process.env[name];
    removeTemporary();
  };
}

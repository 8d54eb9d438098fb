import { join } from 'node:path';
import { buildLibrary } from '../../tools/build-library.ts';
import { buildWeb } from '../../tools/build-web.ts';
import { CLUSTER_VARIABLE, startTestCluster } from './cluster.ts';
import { useMemory } from './memory-folder.ts';

/** Before the tests of a run: web app and library are built, and one PostgreSQL server is there for all of them. */
export default async function setup(): Promise<() => Promise<void>> {
  await Promise.all([buildWeb({ ifStale: true }), buildLibrary({ ifStale: true })]);
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/tests');
  // A run on another server, such as a cluster's coordinator, brings it along.
  if (process.env[CLUSTER_VARIABLE]) return async () => {};
  const removeTemporary = await useMemory();
  const cluster = await startTestCluster();
  Object.assign(process.env, cluster.env);
  return async () => {
    await cluster.stop();
    removeTemporary();
  };
}

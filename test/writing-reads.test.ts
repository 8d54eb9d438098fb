// @module-tag slow
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { findHolder, STORED } from '../tools/describe-writes.ts';
import { isOwnSchema } from './support/database-lints/own-schemas.ts';
import { startServiceWithRoutes } from './support/every-route.ts';
import { fillExample, createRowPaths } from './support/read-paths.ts';
import { recordStatements } from './support/statement-log.ts';

/** A statement that writes rows. `for update` and `do update` alone do not match. */
const WRITE = /\b(insert into|delete from|update (only )?[\w.]+( (as )?\w+)? set)\b/i;

/** Statements that belong to no read: those of the delivery of webhooks, and the time of the last use of a session. */
const OTHERS = [
  /^update \w+\.webhook_messages set /,
  /^delete from \w+\.webhook_messages where id = /,
  /operator_sessions/,
];

/** Time in ms in which a route writes after its response. */
const AFTER_RESPONSE_MS = 300;

test('has an entry for every read that writes', async (t) => {
  const every = await startServiceWithRoutes();
  t.onTestFinished(() => every.service.stop());
  const writers = await every.service.database.owner<{ name: string }>(
    `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${isOwnSchema}
      where p.prosrc ~* '\\m(insert into|delete from|update\\s+[\\w.]+(\\s+\\w+)?\\s+set)\\M'`,
  );
  const callsWriter = new RegExp(`\\b(${writers.map(({ name }) => name).join('|')})\\(`);
  const paths = await createRowPaths(every);
  const statements = recordStatements(t);
  const found: Record<string, string[]> = {};
  const reads = every.routes.filter(
    ({ method, url }) => method === 'GET' && !url.startsWith('/assets/') && findHolder(url) === undefined,
  );
  assert.ok(reads.length > 50, `${reads.length} reads`);
  // Webhooks of the pages arrive before.
  await sleep(10 * AFTER_RESPONSE_MS);
  for (const read of reads) {
    statements.length = 0;
    const path = paths[read.url] ?? fillExample(read);
    const headers = await every.getCredentials(read);
    // The renewal of the credential may write.
    statements.length = 0;
    await (await fetch(`${every.service.url}${path}`, { headers, redirect: 'manual' })).text();
    await sleep(AFTER_RESPONSE_MS);
    const writes = statements.filter(
      (text) => (WRITE.test(text) || callsWriter.test(text)) && !OTHERS.some((other) => other.test(text)),
    );
    if (writes.length > 0) found[`GET ${read.url}`] = writes;
  }
  assert.deepEqual(
    Object.keys(found).sort(),
    Object.keys(STORED)
      .filter((name) => name.startsWith('GET '))
      .sort(),
    `add the read to tools/describe-writes.ts: ${JSON.stringify(found, null, 2)}`,
  );
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { findUnrevokedChanges } from './support/credential-writers.ts';

const ROOT = new URL('../', import.meta.url);

/** Functions that change a password, an address or an authenticator app and end no credential, with the reason. */
const NO_REVOCATION: Readonly<Record<string, string>> = {
  'src/embedded/identity/revoke-credentials.ts: END': 'revokeForEvent calls it',
  'src/embedded/identity/second-factor-queries.ts: storeTotp': 'an app is off until a code is entered',
  'src/embedded/identity/seed-people.ts: seedPerson': 'repeats a first run, during which nobody can sign in',
  'src/embedded/identity/session-queries.ts: purgeOldSessions': 'deletes apps that were never turned on',
};
const exceptions: ReadonlySet<string> = new Set(Object.keys(NO_REVOCATION));

const sources = globSync('{src,cli}/**/*.ts', { cwd: fileURLToPath(ROOT) })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));

test('calls revokeForEvent wherever a password, an address or an app changes', () => {
  assert.deepEqual(findUnrevokedChanges(sources, exceptions), []);
});

test('has only exceptions that are needed', () => {
  for (const name of exceptions)
    assert.notDeepEqual(
      findUnrevokedChanges(sources, new Set([...exceptions].filter((other) => other !== name))),
      [],
      name,
    );
});

test('finds a function that changes a credential when it calls no revokeForEvent', () => {
  const queries = {
    path: 'src/embedded/identity/user-queries.ts',
    text: sources.find(({ path }) => path.endsWith('/identity/user-queries.ts'))!.text,
  };
  const write = (text: string) => [queries, { path: 'src/embedded/identity/door.ts', text }];
  const without = `export const openDoor = async (sql) => { await overwritePassword(sql, 'user_1', 'x'); };`;
  assert.deepEqual(findUnrevokedChanges(write(without), exceptions), ['src/embedded/identity/door.ts: openDoor']);
  const later = `export function addRoutes(app) {
    app.post('/a', async () => { await replacePassword(sql); await revokeForEvent(sql); });
    app.post('/b', async () => { await adoptNewEmail(sql); });
  }`;
  assert.deepEqual(findUnrevokedChanges(write(later), exceptions), ['src/embedded/identity/door.ts: addRoutes']);
  const revoked = `async function close(sql) { await overwritePassword(sql); await revokeForEvent(sql); }
    export const openDoor = async (sql) => { await markEmailVerified(sql); await close(sql); };`;
  assert.deepEqual(findUnrevokedChanges(write(revoked), exceptions), []);
  const sql = `const setPin = (sql) => sql.query('update idp.users set updated_at = now(), password_hash = $1 where id = $2');
    export const openDoor = (sql) => setPin(sql);`;
  assert.deepEqual(findUnrevokedChanges(write(sql), exceptions), ['src/embedded/identity/door.ts: openDoor']);
});

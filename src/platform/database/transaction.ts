import type { PoolClient } from 'pg';
import type { Handle, MemberSql, ServiceSql } from './roles.ts';
import { awaitAll, type Identity, beginAs, setIdentity, send, resetIdentity } from './run-as.ts';

/** Runs `work` in a transaction of its own on this connection. Its handle has the rights of `like`. */
export async function transact<H extends Handle, T>(
  client: PoolClient,
  identity: Identity | null,
  template: H,
  work: (sql: H) => Promise<T>,
): Promise<T> {
  const scope = openScope(client, template);
  try {
    await awaitAll(beginAs(client, identity));
    const result = await work(scope.handle);
    scope.close();
    const commit = await send(client, 'commit');
    if (commit.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: one of its statements had failed.');
    return result;
  } catch (error) {
    scope.close();
    await send(client, 'rollback').catch(() => {}); // the pool discards a broken connection
    throw error;
  }
}

/**
 * Runs `work` in a transaction of the service whose `member` handle has the rights of `identity`. The member's role is
 * set before each of its statements, and the service's role afterwards.
 */
export function transactAs<T>(
  client: PoolClient,
  identity: Identity,
  template: ServiceSql,
  work: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
): Promise<T> {
  const runAsMember: typeof send = async (_client, text, values) => {
    const setup = setIdentity(client, identity);
    const results = await awaitAll([...setup, send(client, text, values), ...resetIdentity(client)]);
    return results[setup.length]!;
  };
  return transact(client, null, template, async (service) => {
    const scope = openScope(client, { privilege: 'member', idpId: identity.member } as MemberSql, runAsMember);
    try {
      return await work({ member: scope.handle, service });
    } finally {
      scope.close();
    }
  });
}

/**
 * Creates a handle that works until its transaction ends. A later use would run on a connection of another transaction.
 */
function openScope<H extends Handle>(
  client: PoolClient,
  template: H,
  execute: typeof send = send,
): { handle: H; close(): void } {
  let ended = false;
  const assertOpen = () => {
    if (ended) throw new Error('This transaction has ended; use the handle that started it.');
  };
  const handle = {
    ...template,
    async query(text: string, values?: readonly unknown[]) {
      assertOpen();
      return (await execute(client, text, values)).rows;
    },
    async transaction<T>(work: (sql: H) => Promise<T>): Promise<T> {
      assertOpen();
      await send(client, 'savepoint nested');
      const inner = openScope(client, handle, execute);
      try {
        const result = await work(inner.handle);
        inner.close();
        await send(client, 'release savepoint nested');
        return result;
      } catch (error) {
        inner.close();
        await send(client, 'rollback to savepoint nested');
        await send(client, 'release savepoint nested');
        throw error;
      }
    },
  };
  return {
    handle,
    close() {
      ended = true;
    },
  };
}

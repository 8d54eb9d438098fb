import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createTestDatabase } from '../database.ts';
import { prepareRows } from './one-row-each.ts';
import { createProbeFunction } from './probe.ts';
import { findRights, parseRights, type Rights } from './rights.ts';

export const EXPECTED = new URL('expected-rights.txt', import.meta.url);
export const readExpectedRights = (): Rights => parseRights(readFileSync(EXPECTED, 'utf8'));

/** A database copy with one row of A in every table, and the owner's connection to it. */
export interface RightsFixture {
  client: pg.Client;
  /**
   * Returns the rights after `change`, which is rolled back. Throws the server's error if the server rejects the
   * change.
   */
  findRightsAfter(change: string | undefined, onlyObjects?: string): Promise<Rights>;
  close(): Promise<void>;
}

export async function openRightsFixture(): Promise<RightsFixture> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await prepareRows(client);
  await createProbeFunction(client);
  return {
    client,
    async findRightsAfter(change, only) {
      await client.query('begin');
      try {
        if (change !== undefined) await client.query(change);
        return await findRights(client, only);
      } finally {
        await client.query('rollback');
      }
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}

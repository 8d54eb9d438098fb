import type pg from 'pg';

/** What tells one database from another, also on a standby: its server and its number there. */
export interface DatabaseIdentity {
  server: string;
  database: string;
}

/** Reads the identity of the connected database. */
export async function readIdentity(client: pg.Client): Promise<DatabaseIdentity> {
  const { rows } = await client.query<DatabaseIdentity>(
    `select system_identifier::text as server, oid::text as database
       from pg_control_system(), pg_database where datname = current_database()`,
  );
  return rows[0]!;
}

/** Returns the TLS version of this connection, or null if it is not encrypted. Not for use in a transaction. */
export async function readTlsVersion(client: pg.Client): Promise<string | null> {
  // The server shows the version to the login itself, and not to the role that it takes by default.
  await client.query('begin read only; set local role none');
  const { rows } = await client.query<{ version: string | null }>(
    'select version from pg_catalog.pg_stat_ssl where pid = pg_backend_pid()',
  );
  // The role must not remain, since a transaction pooler gives the connection to other clients.
  await client.query('rollback');
  return rows[0]?.version ?? null;
}

import type pg from 'pg';
import { isOf0_1_0, UPGRADE_HINT_0_1_0 } from './backup/adapt-0.1.0.ts';
import type { DatabaseUrls } from './connect.ts';
import { createServiceRolePolicies, createServiceRole } from './service-role-policies.ts';
import { type MigrationFile, listMigrationNames, readMigrations } from './migration-files.ts';
import { createOwnerClient } from './disposable-client.ts';
import { syncLoginPasswords } from './login-passwords.ts';
import type { ServiceSql } from './roles.ts';

/** Who is told what a migration does. */
export interface MigrateReport {
  log: (message: string) => void;
  /** Takes what a file says it could not do, and what it says besides; `log` where it is left out. */
  warn: (message: string) => void;
}

export interface MigrateOptions extends Partial<MigrateReport> {
  directory?: string | URL;
  /** Where given, these files alone; others wait for a later call. */
  onlyFiles?: ReadonlySet<string>;
  /** Where given, logins that our first migration made get the passwords of these URLs; others keep theirs. */
  logins?: DatabaseUrls;
  /** Runs after the files under the same lock, for schemas that a library migrates itself. */
  afterMigrations?: (owner: OwnerConnection) => Promise<void>;
}

export interface OwnerConnection {
  url: string;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Any number that nothing else in the database locks; "tally" in ASCII. */
const MIGRATION_LOCK_KEY = 0x74616c6c79;

/**
 * Brings the database up to date: each file of `db/migrations` once, in the order of the names, each in its own
 * transaction. Several processes may call it at once. An older file that is new is applied too; an applied file that
 * has changed is refused, and so is a database of 0.1.0.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { log = () => {}, warn = log, directory, onlyFiles, logins, afterMigrations } = options;
  const files = await readMigrations(directory);
  await using client = createOwnerClient(ownerUrl, 'migrate'); // its end gives the lock back
  client.on('notice', ({ message }) => message && warn(message));
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
  const appliedChecksums = await readLedger(client);
  if (isOf0_1_0([...appliedChecksums.keys()]))
    throw new Error(`The database is of version 0.1.0, which this version does not migrate: ${UPGRADE_HINT_0_1_0}.`);
  assertUnchanged(files, appliedChecksums);
  const unknown = [...appliedChecksums.keys()].filter((name) => !files.some((file) => file.name === name));
  if (unknown.length > 0) log(`The database holds migrations of a newer version: ${unknown.join(', ')}.`);

  await createServiceRole(client, warn);
  const applied: string[] = [];
  for (const file of files) {
    if (appliedChecksums.has(file.name) || onlyFiles?.has(file.name) === false) continue;
    await applyFile(client, file);
    applied.push(file.name);
    log(`Applied ${file.name}.`);
  }
  await afterMigrations?.({
    url: ownerUrl,
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
  });
  await createServiceRolePolicies(client);
  if (logins) await syncLoginPasswords(client, logins, warn);
  return { applied };
}

/** Names of the files that this database has not had yet; for readiness. */
export async function listPendingMigrations(
  sql: Pick<ServiceSql, 'query'>,
  directory?: string | URL,
): Promise<string[]> {
  const appliedNames = new Set(await listAppliedMigrations(sql));
  return (await listMigrationNames(directory)).filter((name) => !appliedNames.has(name));
}

/** Names of the migrations that this database has had. */
export async function listAppliedMigrations(sql: Pick<ServiceSql, 'query'>): Promise<string[]> {
  const [ledger] = await sql.query<{ exists: boolean }>(`select to_regclass('tally.migrations') is not null as exists`);
  if (!ledger?.exists) return [];
  return (await sql.query<{ name: string }>('select name from tally.migrations')).map(({ name }) => name);
}

async function readLedger(client: pg.Client): Promise<Map<string, string>> {
  const ledger = await client.query(`select to_regclass('tally.migrations') is not null as exists`);
  if (!ledger.rows[0]?.exists) {
    await client.query(`
      create schema if not exists tally;
      create table tally.migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      );
      comment on table tally.migrations is 'Server only, no policy: the migrations that are applied.';
      alter table tally.migrations enable row level security`);
  }
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from tally.migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function assertUnchanged(files: readonly MigrationFile[], appliedChecksums: ReadonlyMap<string, string>): void {
  const changed = files.find(
    (file) => appliedChecksums.has(file.name) && appliedChecksums.get(file.name) !== file.checksum,
  );
  if (changed)
    throw new Error(
      `The migration ${changed.name} was changed after it had been applied; ` +
        'restore it and put the change into a new file.',
    );
}

async function applyFile(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('begin');
    await client.query(file.text);
    await client.query('insert into tally.migrations (name, checksum) values ($1, $2)', [file.name, file.checksum]);
    await client.query('commit');
  } catch (error) {
    throw new Error(
      `The migration ${file.name} failed${describeErrorLine(error, file.text)}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Line of the file that the server complains about. */
function describeErrorLine(error: unknown, text: string): string {
  const position = Number((error as { position?: string }).position);
  return position > 0 ? ` at line ${text.slice(0, position - 1).split('\n').length}` : '';
}

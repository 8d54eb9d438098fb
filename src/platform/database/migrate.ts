import type pg from 'pg';
import { readVersion } from '../http/version.ts';
import { isOf0_1_0, UPGRADE_HINT_0_1_0 } from './version-0.1.0.ts';
import type { DatabaseUrls } from './connect.ts';
import { findNewerMinimum, ROLLBACK_HINT } from './minimum-version.ts';
import { createServiceRolePolicies, createServiceRole } from './service-role-policies.ts';
import { type MigrationFile, listMigrationNames, readMigrations } from './migration-files.ts';
import { isDatabaseDiskFull } from './disk-full.ts';
import { createOwnerClient, toSql } from './disposable-client.ts';
import { syncLoginPasswords } from './login-passwords.ts';
import type { ServiceSql } from './roles.ts';

/** Callbacks that receive the messages of a migration. */
export interface MigrateReport {
  log: (message: string) => void;
  /** Receives warnings and notices of a file (default `log`). */
  warn: (message: string) => void;
}

export interface MigrateOptions extends Partial<MigrateReport> {
  directory?: string | URL;
  /** If set, only these files are applied. Others wait for a later call. */
  onlyFiles?: ReadonlySet<string>;
  /** If set, logins that our first migration created get the passwords of these URLs where theirs differ. Others keep theirs. */
  logins?: DatabaseUrls;
  /** Runs after the files under that lock, for schemas that a library migrates itself. */
  afterMigrations?: (owner: OwnerConnection) => Promise<void>;
}

export interface OwnerConnection {
  url: string;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Thrown before anything is written if this version does not fit the database. Its message is one sentence. */
export class IncompatibleDatabase extends Error {}

/** Function of the server that sends the notices of `raise` in a migration. */
const RAISE_STATEMENT = 'exec_stmt_raise';

/** A number that nothing else in the database locks: "tally" in ASCII. */
const MIGRATION_LOCK_KEY = 0x74616c6c79;

/**
 * Migrates the database: each file of `db/migrations` once, in the order of the names, each in its own transaction.
 * Several processes may call it at once. A new file with an older name is applied too. Throws `IncompatibleDatabase` if
 * an applied file has changed, for a database of 0.1.0, and for one that needs a newer version.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { log = () => {}, warn = log, directory, onlyFiles, logins, afterMigrations } = options;
  const files = await readMigrations(directory);
  await using client = createOwnerClient(ownerUrl, 'migrate'); // its end releases the lock
  // The server adds its own notices, which say nothing to an operator.
  client.on('notice', ({ routine, message }) => routine === RAISE_STATEMENT && message && warn(message));
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
  const appliedChecksums = await readLedger(client);
  if (isOf0_1_0([...appliedChecksums.keys()]))
    throw new IncompatibleDatabase(
      `The database is of version 0.1.0, which this version does not migrate: ${UPGRADE_HINT_0_1_0}.`,
    );
  const newerMinimum = await findNewerMinimum(toSql(client));
  if (newerMinimum !== undefined)
    throw new IncompatibleDatabase(
      `The database needs Tally ${newerMinimum} or newer, and this is ${readVersion()}: ${ROLLBACK_HINT}.`,
    );
  assertUnchanged(files, appliedChecksums);
  const unknown = [...appliedChecksums.keys()].filter((name) => !files.some((file) => file.name === name));
  if (unknown.length > 0) log(`The database has migrations of a newer version: ${unknown.join(', ')}.`);

  await createServiceRole(client, warn);
  const applied: string[] = [];
  for (const file of files) {
    if (appliedChecksums.has(file.name) || onlyFiles?.has(file.name) === false) continue;
    await applyFile(client, file);
    applied.push(file.name);
    log(`Applied ${file.name}.`);
  }
  await afterMigrations?.({ url: ownerUrl, query: toSql(client).query });
  await createServiceRolePolicies(client);
  if (logins) await syncLoginPasswords(client, ownerUrl, logins, warn);
  return { applied };
}

/** Returns the names of the files that this database lacks, for readiness. */
export async function listPendingMigrations(
  sql: Pick<ServiceSql, 'query'>,
  directory?: string | URL,
): Promise<string[]> {
  const appliedNames = new Set(await listAppliedMigrations(sql));
  return (await listMigrationNames(directory)).filter((name) => !appliedNames.has(name));
}

/** Returns the names of the migrations that this database has applied. */
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
        minimum_version text,
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
    throw new IncompatibleDatabase(
      `The migration ${changed.name} was changed after it had been applied; ` +
        'restore it and add the change in a new file.',
    );
}

async function applyFile(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('begin');
    await client.query(file.text);
    await client.query('insert into tally.migrations (name, checksum, minimum_version) values ($1, $2, $3)', [
      file.name,
      file.checksum,
      file.minimumVersion,
    ]);
    await client.query('commit');
  } catch (error) {
    // A full disk is no fault of the file.
    if (isDatabaseDiskFull(error)) throw error;
    throw new Error(
      `The migration ${file.name} failed${describeErrorLine(error, file.text)}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Returns the line of the file at which the error occurred. */
function describeErrorLine(error: unknown, text: string): string {
  const position = Number((error as { position?: string }).position);
  return position > 0 ? ` at line ${text.slice(0, position - 1).split('\n').length}` : '';
}

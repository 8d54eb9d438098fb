import type { MigrationFile } from '../migration-files.ts';
import type { Manifest } from './manifest.ts';

/** Migration that only databases of 0.1.0 have applied. */
const ONLY_IN_0_1_0 = '20260905_01_plans.sql';

/**
 * Last migration of 0.2.0. Later migrations run after the rows are loaded, since rows of 0.1.0 only fit the schema of
 * 0.2.0.
 */
const LAST_OF_0_2_0 = '20261003_01_assistant_sql.sql';

/**
 * New names of what 0.2.0 renamed. Keys are `schema.table`, `schema.sequence`, or `schema.table.column` with the
 * table's old name and the column's new one as the value.
 */
const RENAMED_OBJECTS: Readonly<Record<string, string>> = {
  'brokerage_sandbox.authorizations.person': 'owner_id',
  'brokerage_sandbox.people': 'brokerage_sandbox.users',
  'market.provider_calls.span': 'period',
  'market.questions': 'market.call_leases',
  'market.questions.answer': 'result',
  'market.questions.answered_at': 'finished_at',
  'market.quote_notes': 'market.quote_checks',
  'market.quote_notes.answered_at': 'responded_at',
  'market.quote_notes.asked_at': 'requested_at',
  'market.quote_notes.split_close': 'pending_split_close',
  'market.quote_notes.split_day': 'pending_split_date',
  'market.report_looks': 'market.earnings_scans',
  'public.aggregator_removals': 'public.connection_revocations',
  'public.assistant_messages.place': 'position',
  'public.assistant_messages_place_seq': 'public.assistant_messages_position_seq',
  'public.billing_payers.sync_ticket': 'sync_version',
  'public.billing_reversals': 'public.billing_refunds_and_disputes',
  'public.billing_sync_tickets': 'public.billing_sync_versions',
  'public.brokerage_users.asked_at': 'registration_started_at',
  'public.connection_attempts.repairs': 'reauthenticates_id',
  'public.connections.looked_at': 'sync_attempted_at',
  'public.demo_access_invitations.session_settled': 'session_outcome',
  'public.demo_access_invitations.ticket_settled': 'ticket_outcome',
};

const REPAIRS = new URL('../../../../db/restore/repair-0.1.0.sql', import.meta.url);

/** Upgrade instructions for a database of 0.1.0, as the end of a sentence. */
export const UPGRADE_HINT_0_1_0 =
  'write it to a folder with "tally backup", and fill an empty DATA_DIR or database from it with "tally restore"';

/** Returns whether a database with these migrations is one of 0.1.0. */
export const isOf0_1_0 = (migrations: readonly string[]): boolean => migrations.includes(ONLY_IN_0_1_0);

/**
 * Converts the manifest of a 0.1.0 backup to 0.2.0, with that version's migrations, names and repairs of old rows.
 * Returns other manifests unchanged.
 */
export function adaptManifest(
  manifest: Manifest,
  files: readonly MigrationFile[],
  renamed = RENAMED_OBJECTS,
): Manifest {
  if (!isOf0_1_0(manifest.migrations.map(({ name }) => name))) return manifest;
  const getNewName = (name: string): string => renamed[name] ?? name;
  return {
    ...manifest,
    migrations: files.filter(({ name }) => name <= LAST_OF_0_2_0),
    tables: manifest.tables
      // The new database records its own migrations.
      .filter(({ name }) => name !== 'tally.migrations')
      .map((table) => ({
        ...table,
        name: getNewName(table.name),
        columns: table.columns.map((column) => renamed[`${table.name}.${column}`] ?? column),
      })),
    sequences: manifest.sequences.map((sequence) => ({ ...sequence, name: getNewName(sequence.name) })),
    repairs: REPAIRS,
  };
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/connect.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { countSeparators } from '../../../platform/http/parse-csv.ts';
import { recordFlows } from '../net-worth/flow-queries.ts';
import type { ColumnRole } from './contract.ts';
import { type FileChoices, type HoldingsFile, hasTooManyRows } from './holdings-file.ts';
import type { FileParser } from './parse-in-thread.ts';
import { type ImportChoices, type ImportPlan, planImport, type PlanResult, type TargetAccount } from './plan-import.ts';
import {
  captureState,
  type HoldingState,
  type ImportChanges,
  keepColumns,
  lockImport,
  lockPortfolio,
  readKeptChoices,
  readPortfolio,
  restoreState,
  saveImport,
  writeChanges,
} from './queries.ts';
import type { LookUpListing, SearchListings } from './listings.ts';
import { resolvePositions } from './resolve-positions.ts';

/** Maximum size of a file in bytes of UTF-8. */
export const MAX_IMPORT_BYTES = 1024 * 1024;

/** Maximum number of separators and line breaks of a file, which bounds the time of its parsing. */
export const MAX_SEPARATORS = 300_000;

export interface ImportDependencies {
  database: Pick<Database, 'service' | 'transactionAs'>;
  parse: FileParser;
  /** Looks up a symbol that the catalog lacks. Registers it unless it is a dry run. */
  lookUp: LookUpListing;
  search: SearchListings;
}

export interface ImportRequest extends ImportChoices, FileChoices {
  idpId: string;
  text: string;
  /** Symbols that the member chose, by search text. */
  securities: ReadonlyMap<string, string>;
  dryRun: boolean;
  /** Digest of the plan that the member has confirmed. Another plan is rejected. */
  confirmedPlan: string | undefined;
}

export type ImportResult =
  | { ok: true; file: HoldingsFile; plan: ImportPlan; importId: string | null }
  | { ok: false; reason: 'too_large' | 'too_many_cells' | 'too_many_rows' | 'not_csv' | 'no_table' | 'plan_changed' }
  | { ok: false; reason: 'other_columns'; count: number }
  | { ok: false; reason: 'no_kind' }
  | { ok: false; reason: 'no_columns'; missing: readonly ColumnRole[] }
  | { ok: false; reason: 'unavailable'; retryAfter: number | undefined }
  | Exclude<PlanResult, { ok: true }>;

/**
 * Imports the holdings of a file in one transaction. The accounts and holdings are read under the same locks as other
 * changes take, so that the plan is what happens. A dry run changes nothing. Rows with errors are never imported. What
 * the member says about the file is kept for files with the same header.
 */
export async function importHoldings(deps: ImportDependencies, request: ImportRequest): Promise<ImportResult> {
  const { idpId, text, kind, columns, securities, dryRun, confirmedPlan } = request;
  if (Buffer.byteLength(text) > MAX_IMPORT_BYTES) return { ok: false, reason: 'too_large' };
  if (countSeparators(text) > MAX_SEPARATORS) return { ok: false, reason: 'too_many_cells' };
  const sql = deps.database.service;
  const parsed = await deps.parse(idpId, text, { kind, columns }, await readKeptChoices(sql, idpId));
  if (!parsed.ok) return parsed;
  const { file } = parsed;
  if (hasTooManyRows(file)) return { ok: false, reason: 'too_many_rows' };
  const { key, header, missing } = file.table;
  if (columns !== null && columns.length !== file.table.columns.length)
    return { ok: false, reason: 'other_columns', count: file.table.columns.length };
  if (!dryRun && missing.length > 0) return { ok: false, reason: 'no_columns', missing };
  if (!dryRun && file.kind === null) return { ok: false, reason: 'no_kind' };
  const resolved = await resolvePositions(
    { sql, lookUp: deps.lookUp, search: deps.search },
    file.positions,
    securities,
  );
  if (!resolved.ok) return { ok: false, reason: 'unavailable', retryAfter: resolved.retryAfter };
  const { resolutions } = resolved;
  if (dryRun) {
    const portfolio = await deps.database.transactionAs({ sub: idpId }, async ({ service }) => {
      await lockPortfolio(service, idpId);
      return readPortfolio(service, idpId);
    });
    // No lock is held while a preview is planned.
    const planned = await planImport(file, resolutions, portfolio, request);
    return planned.ok ? { ok: true, file, plan: planned.plan, importId: null } : planned;
  }
  const run = async (transaction: ServiceSql): Promise<ImportResult> => {
    await lockPortfolio(transaction, idpId);
    const planned = await planImport(file, resolutions, await readPortfolio(transaction, idpId), request);
    if (!planned.ok) return planned;
    const { plan } = planned;
    if (confirmedPlan !== undefined && confirmedPlan !== plan.digest) return { ok: false, reason: 'plan_changed' };
    if (header.length > 0 && (columns !== null || kind !== null))
      await keepColumns(transaction, idpId, key, { columns, kind });
    return { ok: true, file, plan, importId: await applyPlan(transaction, idpId, plan) };
  };
  return deps.database.transactionAs({ sub: idpId }, ({ service }) => recordFlows(service, idpId, () => run(service)));
}

/** Writes the changes of a plan and stores what undo needs. Returns the id of the import, or null without a change. */
async function applyPlan(sql: ServiceSql, idpId: string, plan: ImportPlan): Promise<string | null> {
  const idByTarget = new Map(plan.accounts.map((target) => [target, target.id ?? randomUUID()]));
  const changes = listChanges(plan, idByTarget);
  if (Object.values(changes).every((rows) => rows.length === 0)) return null;
  const importId = randomUUID();
  const accountIds = [...idByTarget.values()];
  const before = await captureState(sql, idpId, accountIds);
  await writeChanges(sql, idpId, changes);
  const after = await captureState(sql, idpId, accountIds);
  await saveImport(sql, idpId, { id: importId, before, after });
  return importId;
}

function listChanges(plan: ImportPlan, idByTarget: ReadonlyMap<TargetAccount, string>): ImportChanges {
  const newHoldings: HoldingState[] = [];
  const changedHoldings: { id: string; quantity: string; cost_basis: string | null }[] = [];
  const deletedHoldingIds: string[] = [];
  for (const row of plan.rows) {
    if (row.kind !== 'holding' || row.target === null || row.quantity === null) continue;
    if (row.outcome !== 'new' && row.outcome !== 'changed') continue;
    const figures = { quantity: row.quantity, cost_basis: row.costBasis };
    const [id, ...otherIds] = row.holdingIds;
    if (id === undefined)
      newHoldings.push({
        id: randomUUID(),
        account_id: idByTarget.get(row.target)!,
        symbol: row.symbol,
        ...figures,
      });
    else changedHoldings.push({ id, ...figures });
    deletedHoldingIds.push(...otherIds);
  }
  const toAccount = (target: TargetAccount) => ({
    id: idByTarget.get(target)!,
    name: target.name,
    currency: target.currency,
    balance: target.balance,
  });
  return {
    newAccounts: plan.accounts.filter(({ id }) => id === null).map(toAccount),
    changedBalances: plan.accounts
      .filter(({ id, balance, previousBalance }) => id !== null && balance !== previousBalance)
      .map(toAccount),
    newHoldings,
    changedHoldings,
    deletedHoldingIds,
  };
}

export type UndoResult = { ok: true } | { ok: false; reason: 'not_found' | 'changed' };

/**
 * Undoes the member's last import, so that its accounts are as before. Rejected if one of them has changed since. A
 * repeated call has no further effect.
 */
export function undoImport(
  database: Pick<Database, 'transactionAs'>,
  idpId: string,
  importId: string,
): Promise<UndoResult> {
  return database.transactionAs({ sub: idpId }, ({ service }) =>
    recordFlows(service, idpId, async (): Promise<UndoResult> => {
      await lockPortfolio(service, idpId);
      const stored = await lockImport(service, idpId, importId);
      if (!stored) return { ok: false, reason: 'not_found' };
      if (stored.isUndone) return { ok: true };
      if (!stored.isUnchanged) return { ok: false, reason: 'changed' };
      await restoreState(service, idpId, stored.accountIds);
      return { ok: true };
    }),
  );
}

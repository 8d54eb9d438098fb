import { mapInSlices } from '../../../platform/fairness/in-slices.ts';
import { toNumberOrNull } from '../net-worth/amounts.ts';
import { importError, importResponse, type ImportResponse, importRow, type ImportRow } from './contract.ts';
import type { ImportResult } from './import-holdings.ts';
import type { ImportPlan, PlannedRow } from './plan-import.ts';

/** Fields with at most a few entries. */
const importSummary = importResponse.omit({ errors: true, rows: true });

/** Returns an import as the JSON of its response. Other work of the process runs meanwhile. */
export async function serializeImport(imported: Extract<ImportResult, { ok: true }>): Promise<string> {
  const { file, plan, importId } = imported;
  const { key, header, sample, columns, missing, hasKeptColumns } = file.table;
  const linesByKind = Map.groupBy(file.notImported, ({ kind }) => kind);
  const summary = importSummary.parse({
    format: file.format,
    kind: file.kind,
    table: { header_id: key, header, sample, columns, missing, is_kept: hasKeptColumns },
    lines: countLines(plan.lines),
    not_imported: [...linesByKind].map(([kind, rows]) => ({ kind, lines: rows.map(({ line }) => line) })),
    plan: plan.digest,
    accounts: plan.accounts.map(({ id, name, currency, unlistedSymbols: unlisted }) => ({
      id,
      name,
      currency,
      unlisted,
    })),
    import_id: importId,
  });
  const sortedErrors = plan.errors.toSorted((a, b) => a.line - b.line);
  const errors = await mapInSlices(sortedErrors, (error) => JSON.stringify(importError.parse(error)));
  const rows = await mapInSlices(plan.rows, (row) => JSON.stringify(importRow.parse(toRowResponse(row))));
  return `${JSON.stringify(summary).slice(0, -1)},"errors":[${errors.join()}],"rows":[${rows.join()}]}`;
}

function countLines(fates: ImportPlan['lines']): ImportResponse['lines'] {
  const counts = { imported: 0, cash: 0, not_imported: 0, error: 0, total: 0, header: 0, text: 0 };
  for (const fate of fates.values()) counts[fate] += 1;
  const { imported, cash, not_imported, error: errors, total: totals, header: headers, text: texts } = counts;
  return { total: fates.size, imported, cash, not_imported, errors, totals, headers, texts };
}

function toRowResponse(row: PlannedRow): ImportRow {
  const { lines, accountName: account, kind, outcome, reason, currency } = row;
  const shared = { lines, account, kind, outcome, reason, currency };
  if (row.kind === 'cash')
    return {
      ...shared,
      symbol: null,
      name: null,
      search: null,
      quantity: null,
      cost_basis: null,
      cash: Number(row.amount),
      previous:
        row.previousAmount === null ? null : { quantity: null, cost_basis: null, cash: Number(row.previousAmount) },
    };
  return {
    ...shared,
    symbol: row.symbol,
    name: row.name,
    search: row.search,
    ...(row.renamedFrom !== undefined && { renamed_from: row.renamedFrom }),
    quantity: toNumberOrNull(row.quantity),
    cost_basis: toNumberOrNull(row.costBasis),
    cash: null,
    previous: row.previous && {
      quantity: Number(row.previous.quantity),
      cost_basis: toNumberOrNull(row.previous.costBasis),
      cash: null,
    },
  };
}

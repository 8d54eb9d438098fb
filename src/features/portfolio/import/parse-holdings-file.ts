import type { CsvRecord } from '../../../platform/http/parse-csv.ts';
import { ACTIVITY_STATEMENT, findStatementTables } from './activity-statement.ts';
import type { ColumnRole, FileKind } from './contract.ts';
import { decideKind } from './decide-kind.ts';
import { distinguishSearches } from './distinguish-searches.ts';
import { createFileBuilder, type FileBuilder } from './file-builder.ts';
import { findTables, type Table } from './find-tables.ts';
import { ACTIVITY_STATEMENT_FORMAT, findFormat, type Format } from './formats.ts';
import { guessColumns } from './guess-columns.ts';
import {
  type FileChoices,
  type FileTable,
  hasTooManyRows,
  type HoldingsFile,
  type KeptChoices,
  readHeaderKey,
} from './holdings-file.ts';
import { readPositions } from './read-positions.ts';
import { readTransactions } from './read-transactions.ts';
import { SECURITY_ROLES } from './security-roles.ts';
import { type ReadableTable, toReadableTable } from './table-rows.ts';

export type ParsedHoldingsFile = { ok: true; file: HoldingsFile } | { ok: false; reason: 'not_csv' | 'no_table' };

/** First characters of files that a spreadsheet or a browser saves instead of CSV. */
const OTHER_FILE = /^(?:PK\u0003\u0004|%PDF|\{\\rtf|\s*<(?:!doctype|html|\?xml))|\0/i;

/** First line that names the separator. It is no record. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=.?"?\r?\n/i;

const NO_CHOICES: FileChoices = { kind: null, columns: null };
const SAMPLE_ROWS = 5;

/**
 * Parses the CSV export of a broker, the template or another table of positions or transactions, as far as the member's
 * choices, those kept for its header, or the rows themselves decide what they are. Cells that cannot be read become
 * errors. `not_csv` is another kind of file, `no_table` one without a table of securities.
 */
export function parseHoldingsFile(
  text: string,
  choices: FileChoices = NO_CHOICES,
  kept: KeptChoices = new Map(),
): ParsedHoldingsFile {
  if (OTHER_FILE.test(text)) return { ok: false, reason: 'not_csv' };
  const statement = ACTIVITY_STATEMENT.test(text) ? findStatementTables(text) : undefined;
  const { records, tables } = statement ?? findTables(text);
  const groups = groupTables(tables, statement && ACTIVITY_STATEMENT_FORMAT);
  const { main, kind, hasKeptColumns } = choose(groups, choices, kept);
  if (!main) return { ok: false, reason: 'no_table' };

  const builder = createFileBuilder(
    [...(SEPARATOR_LINE.test(text) ? [1] : []), ...records.map(({ line }) => line)],
    new Set(tables.flatMap(({ headerLine }) => headerLine ?? [])),
  );
  for (const line of statement?.totalLines ?? []) builder.addTotal(line);
  const table = describeTable(main, hasKeptColumns);
  const used = groups.filter((group) => group === main || (group.kind === kind && isComplete(group)));
  const readable = used.flatMap(({ tables: parts, roles, format }) =>
    parts.map((part) => {
      const read = toReadableTable(part, roles, format);
      return { ...read, accountCurrency: statement?.baseCurrency ?? read.accountCurrency };
    }),
  );
  if (kind === null || table.missing.length > 0) addUndecided(builder, readable);
  else if (kind === 'transactions') readTransactions(builder, readable);
  else for (const part of readable) readPositions(builder, part);
  const { rowCount, accounts, positions, cash, skipped, errors, notImported, lines } = builder;
  return {
    ok: true,
    file: {
      format: main.format.format,
      kind,
      table,
      rowCount,
      accounts: [...accounts.values()],
      positions: distinguishSearches(positions),
      cash,
      skipped,
      errors,
      notImported,
      lines,
    },
  };
}

/** Tables with the same header, which have the same columns and kind. */
interface TableGroup {
  headerKey: string;
  tables: Table[];
  format: Format;
  roles: readonly ColumnRole[];
  kind: FileKind | null;
}

function groupTables(tables: readonly Table[], format: Format | undefined): TableGroup[] {
  const byHeader = new Map<string, Table[]>();
  for (const table of tables) {
    const key = readHeaderKey(table.header.map(({ text }) => text));
    const group = byHeader.get(key);
    if (group) group.push(table);
    else byHeader.set(key, [table]);
  }
  return [...byHeader].map(([headerKey, group]) => {
    const all = joinRows(group);
    const roles = guessColumns(all);
    return { headerKey, tables: group, format: format ?? findFormat(all.header), roles, kind: decideKind(all, roles) };
  });
}

const joinRows = (tables: readonly Table[]): Pick<Table, 'header' | 'rows'> => ({
  header: tables[0]!.header,
  rows: tables.flatMap(({ rows }): readonly CsvRecord[] => rows),
});

/**
 * Chooses the table whose columns the member can change, and the kind of the file. What the member has not chosen now is
 * as kept for the header of the table.
 */
function choose(
  groups: readonly TableGroup[],
  choices: FileChoices,
  kept: KeptChoices,
): { main: TableGroup | undefined; kind: FileKind | null; hasKeptColumns: boolean } {
  const keptChoices = kept.get(findMain(groups, choices.kind)?.headerKey ?? '');
  const kind = choices.kind ?? keptChoices?.kind ?? null;
  const columns = choices.columns ?? keptChoices?.columns ?? null;
  const main = findMain(groups, kind);
  if (main && columns?.length === main.roles.length) {
    main.roles = columns;
    main.kind = decideKind(joinRows(main.tables), main.roles);
  }
  return { main, kind: kind ?? main?.kind ?? null, hasKeptColumns: choices.columns === null && columns !== null };
}

/** Finds the table of a kind. A file that lists positions and transactions is one of positions. */
function findMain(groups: readonly TableGroup[], kind: FileKind | null): TableGroup | undefined {
  const isFull = (wanted: FileKind) => (group: TableGroup) =>
    group.kind === wanted && isComplete(group) && group.tables.some(({ rows }) => rows.length > 0);
  return (
    (kind && groups.find(isFull(kind))) ??
    groups.find(isFull('positions')) ??
    groups.find(isFull('transactions')) ??
    groups[0]
  );
}

/** Lists the columns that a table needs and does not have. */
function listMissing(roles: readonly ColumnRole[]): ColumnRole[] {
  const hasSecurity = SECURITY_ROLES.some((role) => roles.includes(role));
  const hasQuantity = roles.includes('quantity');
  return [...(hasSecurity ? [] : (['symbol'] as const)), ...(hasQuantity ? [] : (['quantity'] as const))];
}

const isComplete = ({ roles }: TableGroup): boolean => listMissing(roles).length === 0;

function describeTable({ headerKey: key, tables, roles }: TableGroup, hasKeptColumns: boolean): FileTable {
  const { header, rows } = joinRows(tables);
  return {
    key,
    header: header.map(({ text }) => text),
    sample: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells),
    columns: roles,
    missing: listMissing(roles),
    hasKeptColumns,
  };
}

/** Gives the rows of a file whose kind or columns the member must choose their fate. */
function addUndecided(builder: FileBuilder, tables: readonly ReadableTable[]): void {
  for (const { rows } of tables)
    for (const { line } of rows) {
      builder.rowCount += 1;
      if (hasTooManyRows(builder)) return;
      builder.addUndecided(line);
    }
}

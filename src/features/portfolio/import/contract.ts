import { z } from 'zod';
import { line, STORABLE_TEXT } from '../../../platform/database/contract.ts';
import {
  defineRoutes,
  limitReached,
  namedObject,
  namedStrictObject,
  noContent,
} from '../../../platform/http/contract.ts';

const fileFormat = z
  .enum(['template', 'schwab', 'fidelity', 'vanguard', 'interactive_brokers', 'degiro', 'table'])
  .meta({ id: 'HoldingsFileFormat' });

/** What a file lists. Transactions become holdings: purchases less sales. */
const fileKind = z.enum(['positions', 'transactions']).meta({ id: 'HoldingsFileKind' });
export type FileKind = z.infer<typeof fileKind>;

/**
 * Meaning of a column. `identifier` is an ISIN, a WKN or a CUSIP; `amount` is the money that a transaction moved, and
 * `debit` and `credit` are the same in two columns.
 */
export const columnRole = z
  .enum([
    'symbol',
    'identifier',
    'name',
    'quantity',
    'cost',
    'unit_cost',
    'price',
    'value',
    'currency',
    'account',
    'account_number',
    'exchange',
    'asset_type',
    'date',
    'action',
    'amount',
    'debit',
    'credit',
    'fee',
    'ignore',
  ])
  .meta({ id: 'ColumnRole' });
export type ColumnRole = z.infer<typeof columnRole>;

/** Maximum number of columns of a table. A longer line is no header. */
export const MAX_COLUMNS = 200;
const columnRoles = z.array(columnRole).min(1).max(MAX_COLUMNS);

const importRequest = namedStrictObject('HoldingsImportRequest', {
  text: z.string().min(1).describe('A CSV file as text. At most 1 MB and 10,000 rows below the header.'),
  kind: fileKind.nullable().default(null).describe('Null: the kept choice, else what the rows say.'),
  columns: columnRoles
    .nullable()
    .default(null)
    .describe(
      'Meaning of each column of the first table, kept for files with the same header. Null: the kept choice, else ' +
        'what header and rows say.',
    ),
  securities: z
    .array(z.strictObject({ text: line.min(1).max(250), symbol: line.min(1).max(32) }))
    .max(200)
    .default([])
    .describe('Securities that the member chose, each for a `search` text of the preview.'),
  account_id: z
    .uuid()
    .nullable()
    .default(null)
    .describe('Manual account that receives all rows. Null: each account of the file, found by name and currency.'),
  existing: z
    .enum(['replace', 'keep'])
    .default('replace')
    .describe('Whether holdings and cash that exist already take the figures of the file or stay.'),
  plan: z
    .string()
    .regex(STORABLE_TEXT)
    .max(64)
    .optional()
    .describe('`plan` of the dry run that was confirmed. If the import would have other effects, it returns 409.'),
});
const importQuery = z.object({ dry_run: z.enum(['0', '1']).optional() });

export const importError = namedObject('HoldingsImportError', {
  line: z.int().positive(),
  column: z.string().nullable().describe('Header of the column. Null if the whole line is meant.'),
  message: z.string().describe('What is wrong and what to do.'),
});
const importAccount = namedObject('HoldingsImportAccount', {
  id: z.uuid().nullable().describe('Null if the import creates the account.'),
  name: z.string(),
  currency: z.string(),
  unlisted: z.array(z.string()).describe('Symbols of the account that the file does not list. They stay.'),
});
const leftOutReason = z
  .enum([
    'unknown',
    'not_looked_up',
    'other_currency',
    'option',
    'crypto',
    'unsupported',
    'short',
    'zero',
    'pending',
    'kept',
    'cash_currency',
    'oversold',
  ])
  .meta({ id: 'LeftOutReason' });
export type LeftOutReason = z.infer<typeof leftOutReason>;

/** Transactions that make no holding, by kind. */
const transactionKind = z
  .enum(['dividend', 'interest', 'deposit', 'withdrawal', 'fee', 'tax', 'transfer', 'exchange', 'other'])
  .meta({ id: 'TransactionKind' });
export type TransactionKind = z.infer<typeof transactionKind>;

const importTable = namedObject('HoldingsImportTable', {
  header_id: z.string().describe('Digest of the header, equal for files with the same header.'),
  header: z.array(z.string()).describe("Texts of the first table's header. Empty where the file has none."),
  sample: z.array(z.array(z.string())).max(5).describe('Cells of the first rows.'),
  columns: z.array(columnRole).describe('Meaning of each column that the preview uses.'),
  missing: z.array(columnRole).describe('Columns that an import needs and that were not recognised.'),
  is_kept: z.boolean().describe("Whether the meaning of the columns is the member's kept choice for this header."),
});

/** Every line of the file with text is counted once. */
const importLines = namedObject('HoldingsImportLines', {
  total: z.int().describe('Lines with text, the sum of the others.'),
  imported: z.int().describe('Lines whose holdings are imported or stay the same.'),
  cash: z.int(),
  not_imported: z.int().describe('Lines that `rows` or `not_imported` name with a reason.'),
  errors: z.int(),
  totals: z.int().describe('Sums of other lines.'),
  headers: z.int().describe('Headers of tables.'),
  texts: z.int().describe('Titles, notices, and sections without holdings.'),
});

const figures = {
  quantity: z.number().nullable(),
  cost_basis: z.number().nullable(),
  cash: z.number().nullable(),
};
export const importRow = namedObject('HoldingsImportRow', {
  lines: z.array(z.int().positive()).describe('Several lines of one security in one account are added up.'),
  account: z.string(),
  kind: z.enum(['holding', 'cash']),
  symbol: z.string().nullable().describe('Symbol of the catalog, or the text of the file. Null for cash.'),
  name: z.string().nullable(),
  renamed_from: z.string().optional().describe('Former symbol in the file.'),
  search: z
    .string()
    .nullable()
    .describe('Text that names the security, for a search. Null unless the security must be chosen, or was.'),
  currency: z.string().nullable(),
  ...figures,
  previous: z.object(figures).nullable().describe('Stored figures. Null if nothing is stored.'),
  outcome: z.enum(['new', 'changed', 'same', 'left_out']),
  reason: leftOutReason
    .nullable()
    .describe(
      '`not_looked_up`: the limit of look-ups is reached, and a repeated import continues. `other_currency`: the ' +
        'symbol names another listing. `kept`: differs, but stays by choice. `cash_currency`: the chosen account ' +
        'has another currency. `oversold`: the file sells more than it buys, so its beginning is missing.',
    ),
});
export type ImportRow = z.infer<typeof importRow>;

export const importResponse = namedObject('HoldingsImport', {
  format: fileFormat,
  kind: fileKind.nullable().describe('Null if the rows do not say it, so that the member must.'),
  table: importTable,
  lines: importLines,
  not_imported: z
    .array(z.object({ kind: transactionKind, lines: z.array(z.int().positive()) }))
    .describe('Transactions that make no holding, by kind.'),
  plan: z.string().describe('Digest of all effects, to confirm them.'),
  errors: z
    .array(importError)
    .describe('Cells that cannot be read, and sums that cannot be stored. Their lines are not imported.'),
  accounts: z.array(importAccount).describe('Accounts that receive rows.'),
  rows: z.array(importRow),
  import_id: z.uuid().nullable().describe('For undo. Null for a dry run, and if nothing has changed.'),
});
export type ImportResponse = z.infer<typeof importResponse>;
export const routes = defineRoutes(
  { tag: { name: 'Holdings import', description: 'Import of holdings from the CSV file of a broker.' } },
  {
    importHoldings: {
      endpoint: 'POST /api/holdings/import',
      summary: 'Import holdings from a file',
      description:
        'Reads a CSV file of positions or transactions. Transactions become holdings: purchases less sales, at the ' +
        'average cost. With `dry_run` nothing changes, and the response shows the effects of an import, at most 20 ' +
        'times a minute. A repeated import changes nothing.',
      query: importQuery,
      body: importRequest,
      responses: { 200: importResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT', limitReached],
    },
    deleteImportColumns: {
      endpoint: 'DELETE /api/holdings/import-columns/{header_id}',
      summary: 'Delete the kept columns of a header',
      description: 'The columns and the kind of files with this header are detected again.',
      params: z.object({
        header_id: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .describe('`table.header_id` of a preview.'),
      }),
      responses: { 204: noContent('Nothing is kept for the header.') },
      errors: ['DEMO_MODE'],
    },
    undoHoldingsImport: {
      endpoint: 'POST /api/holdings/import/{id}/undo',
      summary: 'Undo the last import',
      description:
        'Restores the accounts of the import as they were before. Returns 409 if one of them has changed since.',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('The accounts are as before the import.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
  },
);

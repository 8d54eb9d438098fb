import { z } from 'zod';
import { STORABLE_TEXT } from '../../../platform/database/contract.ts';
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

const importRequest = namedStrictObject('HoldingsImportRequest', {
  text: z.string().min(1).describe('A CSV file as text. At most 1 MB and 2,000 rows below the header.'),
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

const importError = namedObject('HoldingsImportError', {
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
    'too_large',
  ])
  .meta({ id: 'LeftOutReason' });
export type LeftOutReason = z.infer<typeof leftOutReason>;

const figures = {
  quantity: z.number().nullable(),
  cost_basis: z.number().nullable(),
  cash: z.number().nullable(),
};
const importRow = namedObject('HoldingsImportRow', {
  lines: z.array(z.int().positive()).describe('Several lines of one security in one account are added up.'),
  account: z.string(),
  kind: z.enum(['holding', 'cash']),
  symbol: z.string().nullable().describe('Symbol of the catalog, or the text of the file. Null for cash.'),
  name: z.string().nullable(),
  renamed_from: z.string().optional().describe('Former symbol in the file.'),
  currency: z.string().nullable(),
  ...figures,
  previous: z.object(figures).nullable().describe('Stored figures. Null if nothing is stored.'),
  outcome: z.enum(['new', 'changed', 'same', 'left_out']),
  reason: leftOutReason
    .nullable()
    .describe(
      '`not_looked_up`: the limit of look-ups is reached, and a repeated import continues. `other_currency`: the ' +
        'symbol names another listing. `kept`: differs, but stays by choice. `cash_currency`: the chosen account ' +
        'has another currency. `too_large`: the lines add up to more than can be stored.',
    ),
});
export type ImportRow = z.infer<typeof importRow>;

const importResponse = namedObject('HoldingsImport', {
  format: fileFormat,
  plan: z.string().describe('Digest of all effects, to confirm them.'),
  errors: z.array(importError).describe('Cells that cannot be read. Their lines are not imported.'),
  accounts: z.array(importAccount).describe('Accounts that receive rows.'),
  rows: z.array(importRow),
  import_id: z.uuid().nullable().describe('For undo. Null for a dry run, and if nothing has changed.'),
});
export type ImportResponse = z.infer<typeof importResponse>;

const exampleImport = {
  format: 'fidelity',
  plan: '2f0c7a3f3b1c4f0e9d5a6b7c8d9e0f11',
  errors: [{ line: 5, column: 'Quantity', message: 'The quantity is missing. Fill it in, or delete the line.' }],
  accounts: [{ id: null, name: 'Individual …6789', currency: 'USD', unlisted: [] }],
  rows: [
    {
      lines: [2],
      account: 'Individual …6789',
      kind: 'holding',
      symbol: 'AAPL',
      name: 'Apple Inc.',
      currency: 'USD',
      quantity: 10,
      cost_basis: 1800,
      cash: null,
      previous: null,
      outcome: 'new',
      reason: null,
    },
  ],
  import_id: null,
};

export const routes = defineRoutes(
  { tag: { name: 'Holdings import', description: 'Import of holdings from the CSV file of a broker.' } },
  {
    importHoldings: {
      endpoint: 'POST /api/holdings/import',
      summary: 'Import holdings from a file',
      description:
        'Reads the position exports of Schwab, Fidelity, Vanguard, Interactive Brokers and Degiro, the template, and ' +
        'other tables with columns of symbols and quantities. With `dry_run` nothing changes, and the response shows ' +
        'the effects of an import, at most 20 times a minute. A repeated import changes nothing.',
      query: importQuery,
      body: importRequest,
      responses: { 200: importResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT', limitReached],
      example: {
        query: { dry_run: '1' },
        body: { text: 'Account,Symbol,Quantity,Cost basis,Currency\nBrokerage,AAPL,10,1800,USD\n' },
        response: exampleImport,
      },
    },
    undoHoldingsImport: {
      endpoint: 'POST /api/holdings/import/{id}/undo',
      summary: 'Undo the last import',
      description:
        'Restores the accounts of the import as they were before. Returns 409 if one of them has changed since.',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('The accounts are as before the import.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
      example: { params: { id: '0199a7c2-7b31-7e02-a4c5-1d2e3f4a5b6c' } },
    },
  },
);

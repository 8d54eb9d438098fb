import type { CsvRecord } from '../../../platform/http/parse-csv.ts';
import { readHeaderCell } from './column-names.ts';
import { type FoundTables, parseRecords, type Table } from './find-tables.ts';

/** Sections of an activity statement. A row names its section and kind first: `Open Positions,Data,…`. */
const POSITIONS = 'Open Positions';
const TRADES = 'Trades';
const INSTRUMENTS = 'Financial Instrument Information';
const CASH = 'Cash Report';
const FOREX = 'Forex Balances';
const ACCOUNT = 'Account Information';
/** Row with the sum of all currencies. */
const BASE_SUMMARY = 'Base Currency Summary';

/** Matches an activity statement of Interactive Brokers with positions, trades or cash. */
export const ACTIVITY_STATEMENT = /^\uFEFF?"?(?:Open Positions|Trades|Cash Report|Forex Balances)"?,"?Header"?,/m;

/** Row of a section with its cells by header. A section may repeat its header with other columns. */
interface SectionRow {
  line: number;
  section: string;
  header: readonly string[];
  values: readonly string[];
  get: (name: string) => string;
}

interface StatementTables extends FoundTables {
  /** Currency of the account, or null if the statement does not say it. */
  baseCurrency: string | null;
  /** Lines with the sums of a section. */
  totalLines: readonly number[];
}

/** Splits an activity statement into tables of positions, trades and cash, with what it says about instruments. */
export function findStatementTables(text: string): StatementTables {
  const records = parseRecords(text, ',');
  const rows = listRows(records);
  const field = (name: string): string =>
    rows.find(({ section, get }) => section === ACCOUNT && get('Field Name') === name)?.get('Field Value') ?? '';
  const accountNumber = field('Account');
  const baseCurrency = field('Base Currency') || null;
  const cash = listCash(rows, baseCurrency);
  const tables = [
    ...toSecurityTables(rows, POSITIONS, ['Summary', ''], accountNumber),
    ...toSecurityTables(rows, TRADES, ['Order', 'Trade', ''], accountNumber),
    ...toCashTable(cash.rows, accountNumber),
  ];
  const sums = records.filter(({ cells }) => /^(?:Sub)?Total$/.test(cells[1] ?? '')).map(({ line }) => line);
  return { records, tables, baseCurrency, totalLines: [...sums, ...cash.totalLines] };
}

function listRows(records: readonly CsvRecord[]): SectionRow[] {
  const headers = new Map<string, readonly string[]>();
  const rows: SectionRow[] = [];
  for (const { line, cells } of records) {
    const [section = '', kind, ...values] = cells;
    if (kind === 'Header') headers.set(section, values);
    else if (kind === 'Data') {
      const header = headers.get(section) ?? [];
      rows.push({ line, section, header, values, get: (name) => values[header.indexOf(name)] ?? '' });
    }
  }
  return rows;
}

/** Columns that a table of securities gets from other sections. */
const ADDED_COLUMNS = ['ISIN', 'Description', 'Exchange', 'Account Number'];

/**
 * Returns a table for each header of a section. Rows with another discriminator repeat a row in parts. If one kind of
 * row is found, rows of a later one in the list repeat it, too.
 */
function toSecurityTables(
  rows: readonly SectionRow[],
  section: string,
  discriminators: readonly string[],
  accountNumber: string,
): Table[] {
  const instruments = new Map(
    rows
      .filter((row) => row.section === INSTRUMENTS)
      .flatMap(({ get }) =>
        get('Symbol')
          .split(/, */)
          .map((symbol) => [symbol, get] as const),
      ),
  );
  const inSection = rows.filter((row) => row.section === section);
  const getDiscriminator = (row: SectionRow): string => row.get('DataDiscriminator');
  const used = discriminators.find((text) => inSection.some((row) => getDiscriminator(row) === text));
  const tables = new Map<readonly string[], CsvRecord[]>();
  for (const row of inSection) {
    if (getDiscriminator(row) !== used) continue;
    const instrument = instruments.get(row.get('Symbol'));
    const cells = [
      ...row.header.map((_, index) => row.values[index] ?? ''),
      instrument?.('Security ID') ?? '',
      instrument?.('Description') ?? '',
      instrument?.('Listing Exch') ?? '',
      row.get('Account') || accountNumber,
    ];
    const records = tables.get(row.header) ?? [];
    records.push({ line: row.line, cells });
    tables.set(row.header, records);
  }
  return [...tables].map(([header, records]) => ({
    header: [...header, ...ADDED_COLUMNS].map(readHeaderCell),
    rows: records,
    texts: [],
  }));
}

interface CashRow {
  line: number;
  account: string;
  currency: string;
  amount: string;
}

/**
 * Lists the cash in each currency: of the cash report, and of the balances in further currencies. Without both, the sum
 * in the base currency counts.
 */
function listCash(
  rows: readonly SectionRow[],
  baseCurrency: string | null,
): { rows: readonly CashRow[]; totalLines: readonly number[] } {
  const ending = rows.filter(({ section, get }) => section === CASH && get('Currency Summary') === 'Ending Cash');
  const report = ending.map(({ line, get }) => ({
    line,
    account: get('Account'),
    currency: get('Currency'),
    amount: get('Total'),
  }));
  const summaries = report.filter(({ currency }) => currency === BASE_SUMMARY);
  const byCurrency = report.filter(({ currency }) => currency !== BASE_SUMMARY);
  const known = new Set(byCurrency.map(({ account, currency }) => `${account}\n${currency}`));
  const forex = rows
    .filter(({ section }) => section === FOREX)
    .map(({ line, get }) => ({
      line,
      account: get('Account'),
      currency: get('Description'),
      amount: get('Quantity'),
    }))
    .filter(({ account, currency }) => !known.has(`${account}\n${currency}`));
  const found = [...byCurrency, ...forex];
  if (found.length > 0) return { rows: found, totalLines: summaries.map(({ line }) => line) };
  return { rows: summaries.map((row) => ({ ...row, currency: baseCurrency ?? '' })), totalLines: [] };
}

function toCashTable(cash: readonly CashRow[], accountNumber: string): Table[] {
  if (cash.length === 0) return [];
  const rows = cash.map(({ line, account, currency, amount }) => ({
    line,
    cells: ['CASH', currency, amount, account || accountNumber],
  }));
  return [{ header: ['Symbol', 'Currency', 'Quantity', 'Account Number'].map(readHeaderCell), rows, texts: [] }];
}

import type { CsvRecord } from '../../../platform/http/parse-csv.ts';
import { toAccountName, toPlainName } from './account-names.ts';
import { type FileBuilder, hasTooManyRows } from './holdings-file.ts';
import { readCash, readRow } from './read-row.ts';

/** Sections of an activity statement. A row names its section and kind first: `Open Positions,Data,…`. */
const POSITIONS = 'Open Positions';
const INSTRUMENTS = 'Financial Instrument Information';
const CASH = 'Cash Report';
const ACCOUNT = 'Account Information';
/** Row with the sum of all currencies. */
const BASE_SUMMARY = 'Base Currency Summary';

/** Row of a section with its cells by header. A section may repeat its header with other columns. */
interface SectionRow {
  line: number;
  section: string;
  get: (name: string) => string;
}

/** Matches an activity statement of Interactive Brokers with open positions. */
export const ACTIVITY_STATEMENT = /^\uFEFF?"?Open Positions"?,"?Header"?,/m;

/** Adds the open positions and the cash of an activity statement to the file. */
export function readActivityStatement(file: FileBuilder, records: readonly CsvRecord[]): void {
  const rows = listRows(records);
  const field = (name: string): string =>
    rows.find(({ section, get }) => section === ACCOUNT && get('Field Name') === name)?.get('Field Value') ?? '';
  const baseCurrency = field('Base Currency') || null;
  const accountNumber = field('Account');
  const instruments = new Map(
    rows
      .filter(({ section }) => section === INSTRUMENTS)
      .flatMap(({ get }) =>
        get('Symbol')
          .split(/, */)
          .map((symbol) => [symbol, get] as const),
      ),
  );
  const addAccount = (number: string): string => {
    const name = toAccountName('interactive_brokers', { number, label: '', title: '' });
    file.accounts.set(number, { key: number, name, currency: baseCurrency });
    return number;
  };

  for (const { line, section, get } of rows) {
    // The rows "Lot" repeat the row "Summary" in parts.
    if (section !== POSITIONS || (get('DataDiscriminator') || 'Summary') !== 'Summary') continue;
    file.rowCount += 1;
    if (hasTooManyRows(file)) return;
    const symbol = get('Symbol');
    const instrument = instruments.get(symbol);
    readRow(file, {
      line,
      accountKey: addAccount(get('Account') || accountNumber),
      symbol,
      isin: instrument?.('Security ID') ?? '',
      name: toPlainName(instrument?.('Description') ?? ''),
      assetType: get('Asset Category'),
      quantity: get('Quantity'),
      cost: get('Cost Basis'),
      unitCost: '',
      currency: get('Currency'),
      decimalMark: '.',
      isOwnFile: false,
      columnNames: { quantity: 'Quantity', cost: 'Cost Basis', unitCost: 'Cost Price', currency: 'Currency' },
    });
  }
  const endingCash = rows.filter(({ section, get }) => section === CASH && get('Currency Summary') === 'Ending Cash');
  const byCurrency = endingCash.filter(({ get }) => get('Currency') !== BASE_SUMMARY);
  for (const { line, get } of byCurrency.length > 0 ? byCurrency : endingCash) {
    file.rowCount += 1;
    if (hasTooManyRows(file)) return;
    readCash(file, {
      line,
      accountKey: addAccount(get('Account') || accountNumber),
      amount: get('Total'),
      currency: get('Currency') === BASE_SUMMARY ? (baseCurrency ?? '') : get('Currency'),
      decimalMark: '.',
      columnNames: { amount: 'Total', currency: 'Currency' },
    });
  }
}

function listRows(records: readonly CsvRecord[]): SectionRow[] {
  const headers = new Map<string, readonly string[]>();
  const rows: SectionRow[] = [];
  for (const { line, cells } of records) {
    const [section = '', kind, ...values] = cells;
    if (kind === 'Header') headers.set(section, values);
    else if (kind === 'Data') {
      const names = headers.get(section) ?? [];
      rows.push({ line, section, get: (name) => values[names.indexOf(name)] ?? '' });
    }
  }
  return rows;
}

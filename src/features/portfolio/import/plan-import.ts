import { Big } from 'big.js';
import { createHash } from 'node:crypto';
import type { AssetType } from '../../../market-data/contract.ts';
import { ACCOUNT_LIMIT } from '../accounts/contract.ts';
import { forEachInSlices, mapInSlices } from '../../../platform/fairness/in-slices.ts';
import { HOLDING_LIMIT } from '../holdings/contract.ts';
import { toCashAccountName } from './account-names.ts';
import type { FileError, FilePosition, HoldingsFile, LineFate, SkippedRow } from './holdings-file.ts';
import type { AccountState, HoldingState, PortfolioState } from './queries.ts';
import { isTooLarge, MAX_MONEY, MAX_QUANTITY } from './read-row.ts';
import type { Resolution } from './resolve-positions.ts';

/** Whether stored holdings and cash take the figures of the file or stay. */
type ExistingChoice = 'replace' | 'keep';

export interface ImportChoices {
  /** Manual account that receives all rows. Null: an account per account of the file. */
  accountId: string | null;
  existing: ExistingChoice;
}

/** Account that receives rows. `id` is null if the import creates it. */
export interface TargetAccount {
  id: string | null;
  name: string;
  currency: string;
  previousBalance: string | null;
  /** Balance after the import. */
  balance: string;
  /** Symbols of the account that the file does not list. They stay. */
  unlistedSymbols: string[];
}

type LeftOutReason = SkippedRow['reason'] | Exclude<Resolution['kind'], 'listing'> | 'kept' | 'cash_currency';

interface PlannedRowFields {
  /** Lines of the file. Several lines of one security are added up. */
  lines: number[];
  target: TargetAccount | null;
  accountName: string;
}

interface PlannedHolding extends PlannedRowFields {
  kind: 'holding';
  outcome: 'new' | 'changed' | 'same' | 'left_out';
  reason: LeftOutReason | null;
  symbol: string;
  name: string | null;
  renamedFrom: string | undefined;
  /** Text for a search, if the security must be chosen or the member chose it. */
  search: string | null;
  assetType: AssetType | null;
  currency: string | null;
  quantity: string | null;
  costBasis: string | null;
  previous: { quantity: string; costBasis: string | null } | null;
  /** Stored holdings of the symbol in the account, oldest first. */
  holdingIds: readonly string[];
}

interface PlannedCash extends PlannedRowFields {
  kind: 'cash';
  outcome: 'new' | 'changed' | 'same' | 'left_out';
  reason: LeftOutReason | null;
  currency: string;
  amount: string;
  previousAmount: string | null;
}

export type PlannedRow = PlannedHolding | PlannedCash;

export interface ImportPlan {
  accounts: readonly TargetAccount[];
  rows: readonly PlannedRow[];
  /** Errors of the file, and of lines whose sum cannot be stored. */
  errors: readonly FileError[];
  /** What becomes of each line with text. */
  lines: ReadonlyMap<number, LineFate>;
  /** Digest of all effects. Two plans with the same effects on the same state have the same digest. */
  digest: string;
}

export type PlanResult =
  | { ok: true; plan: ImportPlan }
  | { ok: false; reason: 'no_account' | 'connected' }
  | { ok: false; reason: 'limit_reached'; unit: 'accounts' | 'holdings'; limit: number };

/**
 * Plans the effects of a file on the member's accounts and holdings, without any change. A file without costs keeps the
 * stored cost of an unchanged quantity. Otherwise the cost becomes unknown.
 */
export async function planImport(
  file: HoldingsFile,
  resolutions: ReadonlyMap<FilePosition, Resolution>,
  state: PortfolioState,
  { accountId, existing }: ImportChoices,
): Promise<PlanResult> {
  const chosen = state.accounts.find(({ id }) => id === accountId);
  if (accountId !== null && !chosen) return { ok: false, reason: 'no_account' };
  if (chosen && chosen.kind !== 'manual') return { ok: false, reason: 'connected' };
  const targets = createTargets(file, state, chosen);
  const cashSums = await sumCash(file, targets);
  const holdingSums = await sumHoldings(file, resolutions, targets);
  const tooLarge: PlannedRow[] = [];
  const listStorable = <Row extends PlannedRow>(row: Row): Row[] => {
    if (!isSumTooLarge(row)) return [row];
    tooLarge.push(row);
    return [];
  };
  const stored = Map.groupBy(state.holdings, ({ account_id: id, symbol }) => `${id}\n${symbol}`);
  const cash = (
    await mapInSlices(cashSums, (row) => listStorable(row).map((storable) => planCash(storable, existing)))
  ).flat();
  const plannedHoldings = await mapInSlices(holdingSums, (row) =>
    listStorable(row).map((storable) => compareWithStored(addStored(storable, stored), existing)),
  );
  const holdings = plannedHoldings.flat();
  const leftOut = await mapInSlices(file.skipped, (row) => toLeftOutRow(row, targets.getName(row.accountKey)));
  const rows = [...cash, ...holdings, ...leftOut];

  const accounts = [
    ...new Set(rows.flatMap(({ target, outcome }) => (target && outcome !== 'left_out' ? [target] : []))),
  ];
  const manualCount = state.accounts.filter(({ kind }) => kind === 'manual').length;
  if (manualCount + accounts.filter(({ id }) => id === null).length > ACCOUNT_LIMIT)
    return { ok: false, reason: 'limit_reached', unit: 'accounts', limit: ACCOUNT_LIMIT };
  const changes = holdings.filter(({ outcome }) => outcome === 'new' || outcome === 'changed');
  const growth = changes.reduce((sum, { holdingIds }) => sum + 1 - holdingIds.length, 0);
  if (growth > 0 && state.holdings.length + growth > HOLDING_LIMIT)
    return { ok: false, reason: 'limit_reached', unit: 'holdings', limit: HOLDING_LIMIT };
  for (const account of accounts) account.unlistedSymbols = listUnlisted(account, holdings, state.holdings);
  return {
    ok: true,
    plan: {
      accounts,
      rows,
      errors: [...file.errors, ...tooLarge.flatMap(listSumErrors)],
      lines: listFates(file, rows, tooLarge),
      digest: await computeDigest(accounts, rows),
    },
  };
}

/** Finds the account that receives a row, by the key of the file's account. */
interface Targets {
  getName(accountKey: string): string;
  getAccount(accountKey: string): TargetAccount;
  /** Returns undefined if the chosen account has another currency. */
  getCashAccount(accountKey: string, currency: string): TargetAccount | undefined;
}

/**
 * An account of the file is the stored one of its name, in its currency if there is one. Its holdings keep the
 * currencies of their listings. Only cash in a further currency needs an account of its own.
 */
function createTargets(file: HoldingsFile, state: PortfolioState, chosen: AccountState | undefined): Targets {
  const targets = new Map<string, TargetAccount>();
  const toPlain = (name: string): string => name.trim().toLowerCase();
  const manual = state.accounts.filter(({ kind }) => kind === 'manual');
  const storedByName = Map.groupBy(manual, ({ name }) => toPlain(name));
  const getTarget = (stored: AccountState | undefined, name: string, currency: string): TargetAccount => {
    const key = stored?.id ?? `${toPlain(name)}\n${currency}`;
    const target = targets.get(key) ?? {
      id: stored?.id ?? null,
      name: stored?.name ?? name,
      currency: stored?.currency ?? currency,
      previousBalance: stored?.balance ?? null,
      balance: stored?.balance ?? '0',
      unlistedSymbols: [],
    };
    targets.set(key, target);
    return target;
  };
  const names = new Map(file.accounts.map(({ key, name }) => [key, name]));
  const currencies = listCurrencies(file);
  const getAccount = (key: string): TargetAccount => {
    const name = names.get(key)!;
    const currency = currencies.get(key) ?? 'USD';
    const stored = storedByName.get(toPlain(name)) ?? [];
    return getTarget(chosen ?? stored.find((account) => account.currency === currency) ?? stored[0], name, currency);
  };
  return {
    getName: (key) => chosen?.name ?? names.get(key) ?? '',
    getAccount,
    getCashAccount(key, currency) {
      const account = getAccount(key);
      if (account.currency === currency) return account;
      if (chosen) return undefined;
      const name = toCashAccountName(names.get(key)!, currency);
      const stored = storedByName.get(toPlain(name))?.find((candidate) => candidate.currency === currency);
      return getTarget(stored, name, currency);
    },
  };
}

/** Returns the currency of each account of the file, else that of its first cash, else of its first position. */
function listCurrencies({ accounts, cash, positions }: HoldingsFile): ReadonlyMap<string, string> {
  const currencies = new Map<string, string>();
  const stated = accounts.map(({ key, currency }) => ({ accountKey: key, currency }));
  for (const { accountKey, currency } of [...stated, ...cash, ...positions])
    if (currency !== null && !currencies.has(accountKey)) currencies.set(accountKey, currency);
  return currencies;
}

/** Returns a row for each holding, with the sum of its lines, as if nothing were stored. */
async function sumHoldings(
  file: HoldingsFile,
  resolutions: ReadonlyMap<FilePosition, Resolution>,
  targets: Targets,
): Promise<PlannedHolding[]> {
  const rows = new Map<string, PlannedHolding>();
  await forEachInSlices(file.positions, (position) => {
    const row = planHolding(position, resolutions.get(position)!, targets);
    const { target, symbol } = row;
    const key = target ? `${target.id ?? `${target.name}\n${target.currency}`}\n${symbol}` : `${position.lines[0]}`;
    const earlier = rows.get(key);
    if (earlier) {
      earlier.lines.push(...position.lines);
      earlier.quantity = Big(earlier.quantity!).plus(position.quantity).toFixed();
      earlier.costBasis = addCosts(earlier.costBasis, row.costBasis);
    } else rows.set(key, row);
  });
  return [...rows.values()];
}

/** Returns the row of one position, as if nothing were stored. A position without a listing is left out. */
function planHolding(position: FilePosition, resolution: Resolution, targets: Targets): PlannedHolding {
  const { lines, accountKey, identifiers, name, search, quantity, costBasis, isCostPerUnit, currency } = position;
  if (resolution.kind !== 'listing') {
    const skipped = { line: lines[0]!, lines, symbol: identifiers[0] ?? search, name, reason: resolution.kind };
    const row = toLeftOutRow(skipped, targets.getName(accountKey));
    return { ...row, search: resolution.kind === 'unsupported' ? null : search, currency, quantity, costBasis };
  }
  const { listing, renamedFrom, isCostComparable, isChosen } = resolution;
  // Brokers state a bond's cost per unit of face value or in percent of it.
  const isAmbiguousCost = isCostPerUnit && listing.asset_type === 'bond';
  const target = targets.getAccount(accountKey);
  return {
    kind: 'holding',
    lines: [...lines],
    target,
    accountName: target.name,
    outcome: 'new',
    reason: null,
    symbol: listing.symbol,
    name: listing.name ?? name,
    renamedFrom,
    search: isChosen ? search : null,
    assetType: listing.asset_type,
    currency: listing.currency,
    quantity,
    costBasis: isCostComparable && !isAmbiguousCost ? costBasis : null,
    previous: null,
    holdingIds: [],
  };
}

/** Adds the stored holdings of the symbol in the row's account. */
function addStored(row: PlannedHolding, holdings: ReadonlyMap<string, readonly HoldingState[]>): PlannedHolding {
  const { target, symbol } = row;
  const stored = target?.id ? (holdings.get(`${target.id}\n${symbol}`) ?? []) : [];
  return { ...row, previous: sumStored(stored), holdingIds: stored.map(({ id }) => id) };
}

/** Returns the sum of two costs, or null if one of them is unknown. */
const addCosts = (first: string | null, second: string | null): string | null =>
  first === null || second === null ? null : Big(first).plus(second).toFixed();

function sumStored(stored: readonly HoldingState[]): PlannedHolding['previous'] {
  const [first, ...others] = stored;
  if (!first) return null;
  return others.reduce(
    (sum, { quantity, cost_basis: cost }) => ({
      quantity: Big(sum.quantity).plus(quantity).toFixed(),
      costBasis: addCosts(sum.costBasis, cost),
    }),
    { quantity: first.quantity, costBasis: first.cost_basis },
  );
}

function compareWithStored(row: PlannedHolding, existing: ExistingChoice): PlannedHolding {
  const { previous, quantity, costBasis } = row;
  if (!previous || quantity === null) return row;
  const isSameQuantity = Big(previous.quantity).eq(quantity);
  const isSameCost = costBasis === null || (previous.costBasis !== null && Big(previous.costBasis).eq(costBasis));
  if (isSameQuantity && isSameCost) return { ...row, outcome: 'same', costBasis: previous.costBasis };
  return existing === 'keep' ? { ...row, outcome: 'left_out', reason: 'kept' } : { ...row, outcome: 'changed' };
}

/** Returns whether the sum of a row's lines cannot be stored. Each line is within the limits. */
const isSumTooLarge = (row: PlannedRow): boolean =>
  row.kind === 'cash'
    ? isTooLarge(row.amount, MAX_MONEY)
    : isTooLarge(row.quantity ?? '0', MAX_QUANTITY) || isTooLarge(row.costBasis ?? '0', MAX_MONEY);

function listSumErrors(row: PlannedRow): FileError[] {
  const what = row.kind === 'cash' ? `cash in ${row.currency}` : row.symbol;
  const message = `The lines of ${what} add up to more than can be stored. Correct them.`;
  return row.lines.map((line) => ({ line, column: null, message }));
}

/** Returns the fates of the file's lines after those of rows that are left out or cannot be stored. */
function listFates(
  file: HoldingsFile,
  rows: readonly PlannedRow[],
  tooLarge: readonly PlannedRow[],
): ReadonlyMap<number, LineFate> {
  const fates = new Map(file.lines);
  for (const { outcome, lines } of rows)
    if (outcome === 'left_out') for (const line of lines) fates.set(line, 'not_imported');
  for (const { lines } of tooLarge) for (const line of lines) fates.set(line, 'error');
  return fates;
}

/** Returns a row for each account and currency, with the sum of its lines. Cash of zero creates no account. */
async function sumCash(file: HoldingsFile, targets: Targets): Promise<PlannedCash[]> {
  const rows = new Map<string, PlannedCash>();
  await forEachInSlices(file.cash, ({ line, accountKey, currency, amount }) => {
    const target = targets.getCashAccount(accountKey, currency) ?? null;
    const accountName = target?.name ?? targets.getName(accountKey);
    const key = `${target?.id ?? accountName}\n${currency}`;
    const earlier = rows.get(key);
    if (earlier) {
      earlier.lines.push(line);
      earlier.amount = Big(earlier.amount).plus(amount).toFixed();
    } else
      rows.set(key, {
        kind: 'cash',
        lines: [line],
        target,
        accountName,
        outcome: target ? 'new' : 'left_out',
        reason: target ? null : 'cash_currency',
        currency,
        amount,
        previousAmount: target?.previousBalance ?? null,
      });
  });
  return [...rows.values()].filter(
    ({ target, amount }) => !Big(amount).eq(0) || (target && target.previousBalance !== null),
  );
}

/** Compares the cash with the balance of its account, which becomes the balance after the import. */
function planCash(row: PlannedCash, existing: ExistingChoice): PlannedCash {
  const { target, amount } = row;
  if (!target) return row;
  const previous = target.previousBalance;
  if (previous !== null && Big(previous).eq(amount)) return { ...row, outcome: 'same' };
  if (previous !== null && existing === 'keep') return { ...row, outcome: 'left_out', reason: 'kept' };
  target.balance = amount;
  return { ...row, outcome: previous === null ? 'new' : 'changed' };
}

interface LeftOutRow extends Pick<SkippedRow, 'line' | 'lines' | 'symbol' | 'name'> {
  reason: LeftOutReason;
}

/** The line that the reason is about comes first. */
const toLeftOutRow = ({ line, lines, symbol, name, reason }: LeftOutRow, accountName: string): PlannedHolding => ({
  kind: 'holding',
  lines: [line, ...lines.filter((other) => other !== line)],
  target: null,
  accountName,
  outcome: 'left_out',
  reason,
  symbol,
  name,
  renamedFrom: undefined,
  search: null,
  assetType: null,
  currency: null,
  quantity: null,
  costBasis: null,
  previous: null,
  holdingIds: [],
});

function listUnlisted(
  account: TargetAccount,
  planned: readonly PlannedHolding[],
  stored: readonly HoldingState[],
): string[] {
  const listed = new Set(planned.filter(({ target }) => target === account).map(({ symbol }) => symbol));
  const symbols = stored.filter((row) => row.account_id === account.id).map(({ symbol }) => symbol);
  return [...new Set(symbols)].filter((symbol) => !listed.has(symbol)).toSorted();
}

async function computeDigest(accounts: readonly TargetAccount[], rows: readonly PlannedRow[]): Promise<string> {
  const balances = accounts.map(({ id, name, currency, balance, previousBalance }) => [
    id,
    name,
    currency,
    balance,
    previousBalance,
  ]);
  const hash = createHash('sha256').update(JSON.stringify(balances));
  await forEachInSlices(rows, (row) => {
    const { kind, outcome, reason, lines, accountName, target } = row;
    const figures =
      row.kind === 'cash'
        ? [row.currency, row.amount, row.previousAmount]
        : [row.symbol, row.quantity, row.costBasis, row.previous, row.holdingIds];
    hash.update(JSON.stringify([kind, outcome, reason, lines, accountName, target?.id, figures]));
  });
  return hash.digest('hex').slice(0, 32);
}

import { createHash } from 'node:crypto';
import type { AssetType } from '../../../market-data/contract.ts';
import { ACCOUNT_LIMIT, HOLDING_LIMIT } from '../contract.ts';
import { negate } from '../holding-figures.ts';
import { toCashAccountName } from './account-names.ts';
import { addDecimals, compareDecimals } from './decimal.ts';
import type { FileAccount, FilePosition, HoldingsFile, SkippedRow } from './holdings-file.ts';
import type { AccountState, HoldingState, PortfolioState } from './queries.ts';
import { MAX_MONEY, MAX_QUANTITY } from './read-row.ts';
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

type LeftOutReason =
  | SkippedRow['reason']
  | Exclude<Resolution['kind'], 'listing'>
  | 'kept'
  | 'cash_currency'
  | 'too_large';

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
export function planImport(
  file: HoldingsFile,
  resolutions: ReadonlyMap<FilePosition, Resolution>,
  state: PortfolioState,
  { accountId, existing }: ImportChoices,
): PlanResult {
  const chosen = state.accounts.find(({ id }) => id === accountId);
  if (accountId !== null && !chosen) return { ok: false, reason: 'no_account' };
  if (chosen && chosen.kind !== 'manual') return { ok: false, reason: 'connected' };
  const targets = createTargets(file, state, chosen);
  const holdings = planHoldings(file, resolutions, state, targets, existing);
  const cash = planCash(file, targets, existing);
  const leftOut = file.skipped.map((row) => toLeftOutRow(row, targets.getName(row.accountKey)));
  const rows = [...cash, ...holdings, ...leftOut];

  const used = new Set(rows.flatMap(({ target, outcome }) => (target && outcome !== 'left_out' ? [target] : [])));
  const accounts = [...used];
  for (const account of accounts) account.unlistedSymbols = listUnlisted(account, holdings, state.holdings);
  const manualCount = state.accounts.filter(({ kind }) => kind === 'manual').length;
  if (manualCount + accounts.filter(({ id }) => id === null).length > ACCOUNT_LIMIT)
    return { ok: false, reason: 'limit_reached', unit: 'accounts', limit: ACCOUNT_LIMIT };
  const changes = holdings.filter(({ outcome }) => outcome === 'new' || outcome === 'changed');
  const growth = changes.reduce((sum, { holdingIds }) => sum + 1 - holdingIds.length, 0);
  if (growth > 0 && state.holdings.length + growth > HOLDING_LIMIT)
    return { ok: false, reason: 'limit_reached', unit: 'holdings', limit: HOLDING_LIMIT };
  return { ok: true, plan: { accounts, rows, digest: computeDigest(accounts, rows) } };
}

/** Finds the account that receives a row, by the key of the file's account. */
interface Targets {
  getName(accountKey: string): string;
  getAccount(accountKey: string): TargetAccount;
  /** Returns undefined if the chosen account has another currency. */
  getCashAccount(accountKey: string, currency: string): TargetAccount | undefined;
}

function createTargets(file: HoldingsFile, state: PortfolioState, chosen: AccountState | undefined): Targets {
  const targets = new Map<string, TargetAccount>();
  const manual = state.accounts.filter(({ kind }) => kind === 'manual');
  const fileAccounts = new Map(file.accounts.map((account) => [account.key, account]));
  const findTarget = (name: string, currency: string): TargetAccount => {
    const key = `${name.toLowerCase()}\n${currency}`;
    const stored =
      chosen ??
      manual.find(
        (account) => account.name.trim().toLowerCase() === name.toLowerCase() && account.currency === currency,
      );
    const target = targets.get(stored?.id ?? key) ?? {
      id: stored?.id ?? null,
      name: stored?.name ?? name,
      currency: stored?.currency ?? currency,
      previousBalance: stored?.balance ?? null,
      balance: stored?.balance ?? '0',
      unlistedSymbols: [],
    };
    targets.set(stored?.id ?? key, target);
    return target;
  };
  const getAccount = (key: string): FileAccount => fileAccounts.get(key)!;
  return {
    getName: (key) => chosen?.name ?? fileAccounts.get(key)?.name ?? '',
    getAccount: (key) => findTarget(getAccount(key).name, getCurrency(file, getAccount(key))),
    getCashAccount(key, currency) {
      if (chosen) return chosen.currency === currency ? findTarget(chosen.name, currency) : undefined;
      const { name } = getAccount(key);
      const isAccountCurrency = currency === getCurrency(file, getAccount(key));
      return findTarget(isAccountCurrency ? name : toCashAccountName(name, currency), currency);
    },
  };
}

/** Returns the currency of the file's account, else that of its first cash, else of its first position, else USD. */
const getCurrency = ({ cash, positions }: HoldingsFile, { key, currency }: FileAccount): string =>
  currency ??
  cash.find(({ accountKey }) => accountKey === key)?.currency ??
  positions.find((position) => position.accountKey === key && position.currency !== null)?.currency ??
  'USD';

function planHoldings(
  file: HoldingsFile,
  resolutions: ReadonlyMap<FilePosition, Resolution>,
  state: PortfolioState,
  targets: Targets,
  existing: ExistingChoice,
): PlannedHolding[] {
  const rows = new Map<string, PlannedHolding>();
  for (const position of file.positions) {
    const row = planHolding(position, resolutions.get(position)!, targets);
    const { target, symbol } = row;
    const key = target ? `${target.id ?? `${target.name}\n${target.currency}`}\n${symbol}` : `${position.line}`;
    const earlier = rows.get(key);
    if (earlier) {
      earlier.lines.push(position.line);
      earlier.quantity = addDecimals(earlier.quantity!, position.quantity);
      earlier.costBasis = addCosts(earlier.costBasis, row.costBasis);
    } else rows.set(key, row);
  }
  return [...rows.values()].map((row) => compareWithStored(addStored(row, state.holdings), existing));
}

/** Returns the row of one position, as if nothing were stored. A position without a listing is left out. */
function planHolding(position: FilePosition, resolution: Resolution, targets: Targets): PlannedHolding {
  const { line, accountKey, identifiers, name, quantity, costBasis, isCostPerUnit, currency } = position;
  if (resolution.kind !== 'listing') {
    const skipped = { line, symbol: identifiers[0]!, name, reason: resolution.kind };
    return { ...toLeftOutRow(skipped, targets.getName(accountKey)), currency, quantity, costBasis };
  }
  const { listing, renamedFrom, isCostComparable } = resolution;
  // Brokers state a bond's cost per unit of face value or in percent of it.
  const isAmbiguousCost = isCostPerUnit && listing.asset_type === 'bond';
  const target = targets.getAccount(accountKey);
  return {
    kind: 'holding',
    lines: [line],
    target,
    accountName: target.name,
    outcome: 'new',
    reason: null,
    symbol: listing.symbol,
    name: listing.name ?? name,
    renamedFrom,
    assetType: listing.asset_type,
    currency: listing.currency,
    quantity,
    costBasis: isCostComparable && !isAmbiguousCost ? costBasis : null,
    previous: null,
    holdingIds: [],
  };
}

/** Adds the stored holdings of the symbol in the row's account. */
function addStored(row: PlannedHolding, holdings: readonly HoldingState[]): PlannedHolding {
  const { target, symbol } = row;
  if (!target?.id) return row;
  const stored = holdings.filter((holding) => holding.account_id === target.id && holding.symbol === symbol);
  return { ...row, previous: sumStored(stored), holdingIds: stored.map(({ id }) => id) };
}

/** Returns the sum of two costs, or null if one of them is unknown. */
const addCosts = (first: string | null, second: string | null): string | null =>
  first === null || second === null ? null : addDecimals(first, second);

function sumStored(stored: readonly HoldingState[]): PlannedHolding['previous'] {
  const [first, ...others] = stored;
  if (!first) return null;
  return others.reduce(
    (sum, { quantity, cost_basis: cost }) => ({
      quantity: addDecimals(sum.quantity, quantity),
      costBasis: addCosts(sum.costBasis, cost),
    }),
    { quantity: first.quantity, costBasis: first.cost_basis },
  );
}

function compareWithStored(row: PlannedHolding, existing: ExistingChoice): PlannedHolding {
  const { previous, quantity, costBasis } = row;
  // Each line is within the limits, their sum may not be.
  if (exceeds(quantity, MAX_QUANTITY) || exceeds(costBasis, MAX_MONEY))
    return { ...row, outcome: 'left_out', reason: 'too_large' };
  if (!previous || quantity === null) return row;
  const isSameQuantity = compareDecimals(previous.quantity, quantity) === 0;
  const isSameCost =
    costBasis === null || (previous.costBasis !== null && compareDecimals(previous.costBasis, costBasis) === 0);
  if (isSameQuantity && isSameCost) return { ...row, outcome: 'same', costBasis: previous.costBasis };
  return existing === 'keep' ? { ...row, outcome: 'left_out', reason: 'kept' } : { ...row, outcome: 'changed' };
}

const exceeds = (amount: string | null, limit: string): boolean =>
  amount !== null && compareDecimals(amount, limit) > 0;

function planCash(file: HoldingsFile, targets: Targets, existing: ExistingChoice): PlannedCash[] {
  const rows = new Map<string, PlannedCash>();
  for (const { line, accountKey, currency, amount } of file.cash) {
    const target = targets.getCashAccount(accountKey, currency) ?? null;
    const accountName = target?.name ?? targets.getName(accountKey);
    const key = `${target?.id ?? accountName}\n${currency}`;
    const earlier = rows.get(key);
    if (earlier) {
      earlier.lines.push(line);
      earlier.amount = addDecimals(earlier.amount, amount);
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
  }
  // Cash of zero creates no account.
  const relevant = [...rows.values()].filter(
    ({ target, amount }) => compareDecimals(amount, '0') !== 0 || (target && target.previousBalance !== null),
  );
  return relevant.map((row) => {
    const { target, amount } = row;
    if (!target) return row;
    if (exceeds(amount, MAX_MONEY) || exceeds(negate(amount), MAX_MONEY))
      return { ...row, outcome: 'left_out', reason: 'too_large' };
    const previous = target.previousBalance;
    if (previous !== null && compareDecimals(previous, amount) === 0) return { ...row, outcome: 'same' };
    if (previous !== null && existing === 'keep') return { ...row, outcome: 'left_out', reason: 'kept' };
    target.balance = amount;
    return { ...row, outcome: previous === null ? 'new' : 'changed' };
  });
}

interface LeftOutPosition extends Pick<SkippedRow, 'line' | 'symbol' | 'name'> {
  reason: LeftOutReason;
}

const toLeftOutRow = ({ line, symbol, name, reason }: LeftOutPosition, accountName: string): PlannedHolding => ({
  kind: 'holding',
  lines: [line],
  target: null,
  accountName,
  outcome: 'left_out',
  reason,
  symbol,
  name,
  renamedFrom: undefined,
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

function computeDigest(accounts: readonly TargetAccount[], rows: readonly PlannedRow[]): string {
  const effects = rows.map((row) => {
    const { kind, outcome, reason, lines, accountName, target } = row;
    const figures =
      row.kind === 'cash'
        ? [row.currency, row.amount, row.previousAmount]
        : [row.symbol, row.quantity, row.costBasis, row.previous, row.holdingIds];
    return [kind, outcome, reason, lines, accountName, target?.id, figures];
  });
  const balances = accounts.map(({ id, name, currency, balance, previousBalance }) => [
    id,
    name,
    currency,
    balance,
    previousBalance,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([balances, effects]))
    .digest('hex')
    .slice(0, 32);
}

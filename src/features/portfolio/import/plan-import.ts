import { createHash } from 'node:crypto';
import type { AssetType } from '../../../market-data/contract.ts';
import { ACCOUNT_LIMIT, HOLDING_LIMIT } from '../contract.ts';
import { addDecimals, compareDecimals } from './decimal.ts';
import type { FileAccount, FilePosition, HoldingsFile, SkippedRow } from './holdings-file.ts';
import type { AccountState, HoldingState, PortfolioState } from './queries.ts';
import type { Resolution } from './resolve-positions.ts';

/** What becomes of holdings and cash that are there already: they take the figures of the file, or stay. */
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
  const leftOut = file.skipped.map((row) => toSkippedRow(row, targets.getName(row.accountKey)));
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

/** Accounts that receive the rows, by the file's account and the currency of cash. */
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
      return findTarget(currency === getCurrency(file, getAccount(key)) ? name : `${name} ${currency}`, currency);
    },
  };
}

/** Returns the currency of the file's account, else that of its first cash or position, else US dollars. */
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
    const { line, accountKey, identifiers } = position;
    const resolution = resolutions.get(position)!;
    const target = resolution.kind === 'listing' ? targets.getAccount(accountKey) : null;
    const symbol = resolution.kind === 'listing' ? resolution.listing.symbol : identifiers[0]!;
    const key = target ? `${target.id ?? `${target.name}\n${target.currency}`}\n${symbol}` : `${line}`;
    const costBasis = resolution.kind === 'listing' && !resolution.isCostComparable ? null : position.costBasis;
    const earlier = rows.get(key);
    if (earlier) {
      earlier.lines.push(line);
      earlier.quantity = addDecimals(earlier.quantity!, position.quantity);
      earlier.costBasis =
        earlier.costBasis === null || costBasis === null ? null : addDecimals(earlier.costBasis, costBasis);
      continue;
    }
    const stored = target?.id
      ? state.holdings.filter((row) => row.account_id === target.id && row.symbol === symbol)
      : [];
    rows.set(key, {
      kind: 'holding',
      lines: [line],
      target,
      accountName: target?.name ?? targets.getName(accountKey),
      outcome: resolution.kind === 'listing' ? 'new' : 'left_out',
      reason: resolution.kind === 'listing' ? null : resolution.kind,
      symbol,
      name: (resolution.kind === 'listing' ? resolution.listing.name : null) ?? position.name,
      renamedFrom: resolution.kind === 'listing' ? resolution.renamedFrom : undefined,
      assetType: resolution.kind === 'listing' ? resolution.listing.asset_type : null,
      currency: resolution.kind === 'listing' ? resolution.listing.currency : position.currency,
      quantity: position.quantity,
      costBasis,
      previous: sumStored(stored),
      holdingIds: stored.map(({ id }) => id),
    });
  }
  return [...rows.values()].map((row) => compareWithStored(row, existing));
}

function sumStored(stored: readonly HoldingState[]): PlannedHolding['previous'] {
  const [first, ...others] = stored;
  if (!first) return null;
  return others.reduce(
    (sum, { quantity, cost_basis: cost }) => ({
      quantity: addDecimals(sum.quantity, quantity),
      costBasis: sum.costBasis === null || cost === null ? null : addDecimals(sum.costBasis, cost),
    }),
    { quantity: first.quantity, costBasis: first.cost_basis },
  );
}

function compareWithStored(row: PlannedHolding, existing: ExistingChoice): PlannedHolding {
  const { previous, quantity, costBasis } = row;
  if (!previous || quantity === null) return row;
  const isSameQuantity = compareDecimals(previous.quantity, quantity) === 0;
  const isSameCost =
    costBasis === null || (previous.costBasis !== null && compareDecimals(previous.costBasis, costBasis) === 0);
  if (isSameQuantity && isSameCost) return { ...row, outcome: 'same', costBasis: previous.costBasis };
  return existing === 'keep' ? { ...row, outcome: 'left_out', reason: 'kept' } : { ...row, outcome: 'changed' };
}

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
  // An account of its own for no money in another currency would only be clutter.
  const relevant = [...rows.values()].filter(
    ({ target, amount }) => compareDecimals(amount, '0') !== 0 || (target && target.previousBalance !== null),
  );
  return relevant.map((row) => {
    const { target, amount } = row;
    if (!target) return row;
    const previous = target.previousBalance;
    if (previous !== null && compareDecimals(previous, amount) === 0) return { ...row, outcome: 'same' };
    if (previous !== null && existing === 'keep') return { ...row, outcome: 'left_out', reason: 'kept' };
    target.balance = amount;
    return { ...row, outcome: previous === null ? 'new' : 'changed' };
  });
}

const toSkippedRow = ({ line, symbol, name, reason }: SkippedRow, accountName: string): PlannedHolding => ({
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

import type { Explanation } from './contract.ts';
import {
  AMOUNT_DECIMALS,
  computeCrossRate,
  type Conversion,
  convertAmount,
  describeRate,
  type CrossRate,
  sumUnits,
  toUnits,
} from './convert-net-worth.ts';
import {
  createPrice,
  createTerm,
  type Excluded,
  formatCashLabel,
  formatHoldingLabel,
  type Term,
} from './explanation-terms.ts';
import { formatUnits } from './amounts.ts';
import type { NetWorthPart } from './queries.ts';
import type { CurrentNetWorthRow } from './rows.ts';

/** Part of net worth with an amount. */
type CountedPart = NetWorthPart & { currency: string; amount: string };

/** Returns net worth per currency as the sums of its parts, so that figures and terms come from one reading. */
export function sumParts(parts: readonly NetWorthPart[]): CurrentNetWorthRow[] {
  const partsByCurrency = Map.groupBy(parts.filter(isCounted), ({ currency }) => currency);
  const sum = (counted: readonly CountedPart[], isSummed: (part: CountedPart) => boolean): string =>
    toDecimal(counted.filter(isSummed).reduce((total, part) => total + toUnits(part.amount), 0n));
  return [...partsByCurrency]
    .map(([currency, counted]) => ({
      currency,
      cash: sum(counted, ({ kind }) => kind === 'cash'),
      liabilities: sum(counted, isLiability),
      investments: sum(counted, ({ kind }) => kind === 'holding'),
    }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
}

/** Explains the net worth in one currency, without conversion. */
export function explainCurrency(parts: readonly NetWorthPart[], currency: string): Explanation {
  const ofCurrency = parts.filter((part) => part.currency === currency);
  return {
    terms: ofCurrency
      .filter(isCounted)
      .filter(isNotEmpty)
      .map((part) => toTerm(part, { amount: Number(part.amount), currency })),
    excluded: ofCurrency.filter((part) => part.amount === null).map((part) => exclude(part, 'no_price')),
  };
}

/** Explains the net worth in the base currency by one term per holding and per account with cash. */
export function explainNetWorth(parts: readonly NetWorthPart[], conversion: Conversion): Explanation {
  const { currency: base, rates, today } = conversion;
  const counted = parts.filter(isCounted).filter(isNotEmpty);
  const findCrossRate = (currency: string) => computeCrossRate(rates, { currency: base, other: currency, day: today });
  const groups = Map.groupBy(counted, ({ kind, currency }) => `${kind} ${currency}`);
  const terms = [...groups.values()].flatMap((group) => {
    const { currency } = group[0]!;
    const crossRate = findCrossRate(currency);
    if (!crossRate) return [];
    // Liabilities are converted first, so that they add up to their rounded total too.
    const ordered = [...group.filter(isLiability), ...group.filter((part) => !isLiability(part))];
    const amounts = new Map(convertParts(ordered, crossRate).map((amount, index) => [ordered[index], amount]));
    return group.map((part) =>
      toTerm(part, { amount: amounts.get(part)!, currency: base, ...describeRate(currency, conversion) }),
    );
  });
  return {
    terms,
    excluded: [
      ...counted.filter(({ currency }) => !findCrossRate(currency)).map((part) => exclude(part, 'no_rate')),
      ...parts.filter((part) => part.amount === null).map((part) => exclude(part, 'no_price')),
    ],
  };
}

/**
 * Converts amounts in one currency. Each result is the difference of two rounded running totals, so that the results add
 * up to the rounded total.
 */
function convertParts(parts: readonly CountedPart[], rate: CrossRate): number[] {
  let total = 0n;
  let convertedTotal = 0n;
  return parts.map((part) => {
    total += toUnits(part.amount);
    const nextTotal = convertAmount(toDecimal(total), rate);
    const converted = nextTotal - convertedTotal;
    convertedTotal = nextTotal;
    return sumUnits([converted]);
  });
}

/** A negative balance, such as of a credit card, is a liability. */
const isLiability = ({ kind, amount }: CountedPart): boolean => kind === 'cash' && toUnits(amount) < 0n;
const isCounted = (part: NetWorthPart): part is CountedPart => part.amount !== null && part.currency !== null;
/** An account without cash is no term. */
const isNotEmpty = (part: CountedPart): boolean => part.kind === 'holding' || toUnits(part.amount) !== 0n;

const toDecimal = (units: bigint): string => formatUnits(units, AMOUNT_DECIMALS);

type TermAmount = Pick<Term, 'amount' | 'currency'> & Partial<Pick<Term, 'rate' | 'rate_date'>>;

const toTerm = (part: CountedPart, amount: TermAmount): Term =>
  createTerm({
    label: formatLabel(part),
    quantity: part.quantity === null ? null : Number(part.quantity),
    ...createPrice(part.price, part.asset_type),
    price_currency: part.currency,
    price_at: part.price_at?.toISOString() ?? null,
    source: part.source,
    ...amount,
  });

const formatLabel = ({ name, account_name: account }: NetWorthPart): string =>
  name === null ? formatCashLabel(account) : formatHoldingLabel(name, account);

const exclude = (part: NetWorthPart, reason: Excluded['reason']): Excluded => ({
  what: formatLabel(part),
  amount: part.amount === null ? null : Number(part.amount),
  currency: part.currency,
  reason,
});

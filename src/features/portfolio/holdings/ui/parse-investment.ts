import type { FormProblem } from '../../../../ui/kit/form-errors.tsx';
import { type ParsedNumber, parseNumber } from '../../../../ui/kit/parse-number.ts';

/** Values of the form as typed. */
interface TypedInvestment {
  symbol: string | null;
  /** Null for a new account. */
  accountId: string | null;
  accountName: string;
  accountCurrency: string;
  quantity: string;
  cost: string;
}

/** Settings that determine how a security's amounts are parsed. */
export interface AmountContext {
  /** BCP 47 tag of the browser's language. */
  locale: string;
  /** The listing's currency, or nothing if unknown. */
  currency?: string | null | undefined;
  asset_type?: string | undefined;
}

export interface ParsedInvestment {
  symbol: string;
  account: { id: string } | { name: string; currency: string };
  quantity: number;
  costBasis: number | null;
}

/** Parses the form and returns either the request or every problem. The service validates again. */
export function parseInvestment(
  typed: TypedInvestment,
  context: AmountContext,
): { ok: true; investment: ParsedInvestment } | { ok: false; problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  const name = typed.accountName.trim();
  const { quantity, cost: costBasis, problems: amountProblems } = parseAmounts(typed, context);
  if (typed.symbol === null) problems.push({ field: 'security', message: 'Choose a security from the list.' });
  if (typed.accountId === null && name === '')
    problems.push({ field: 'account_name', message: 'Enter a name for the account.' });
  problems.push(...amountProblems);
  if (problems.length > 0 || typed.symbol === null) return { ok: false, problems };
  return {
    ok: true,
    investment: {
      symbol: typed.symbol,
      account: typed.accountId === null ? { name, currency: typed.accountCurrency } : { id: typed.accountId },
      quantity,
      costBasis,
    },
  };
}

/** Decimals of stored quantities and of stored amounts. */
const QUANTITY_DECIMALS = 10;
const AMOUNT_DECIMALS = 4;

/** Parses quantity and cost. `kept` skips the validation of an unchanged quantity. */
export function parseAmounts(
  typed: { quantity: string; cost: string },
  context: AmountContext,
  isQuantityUnchanged = false,
) {
  const currency = context.currency ?? undefined;
  const problems: FormProblem[] = [];
  // A bond's quantity is its face value, which is an amount of money.
  const quantity = validateNumber(
    parseNumber(typed.quantity, {
      locale: context.locale,
      currency: context.asset_type === 'bond' ? currency : undefined,
      maxDecimals: QUANTITY_DECIMALS,
    }),
    { isValid: (value) => value > 0 && value <= 1e12, message: 'Enter a quantity greater than 0.' },
    typed.quantity,
  );
  const cost = validateNumber(
    parseAmount(typed.cost, { locale: context.locale, currency }),
    {
      isValid: (value) => value >= 0 && value <= 1e15,
      message: 'Enter the total cost, or leave it empty.',
      negativeMessage: 'The cost cannot be negative.',
    },
    typed.cost,
  );
  if (!isQuantityUnchanged && quantity.problem !== null)
    problems.push({ field: 'quantity', message: quantity.problem });
  const isCostEmpty = typed.cost.trim() === '';
  if (!isCostEmpty && cost.problem !== null) problems.push({ field: 'cost', message: cost.problem });
  return { quantity: quantity.value, cost: isCostEmpty ? null : cost.value, problems };
}

/** Parses an amount of money in the currency. */
export const parseAmount = (typed: string, field: { locale: string; currency?: string | undefined }): ParsedNumber =>
  parseNumber(typed, { ...field, maxDecimals: AMOUNT_DECIMALS });

/** Returns the value without a problem, or NaN with the problem. The problem of an empty field names its purpose. */
export function validateNumber(
  parsed: ParsedNumber,
  rule: {
    isValid: (value: number) => boolean;
    message: string;
    /** Problem of an invalid number below 0, if it differs. */
    negativeMessage?: string;
  },
  typed: string,
): { value: number; problem: string | null } {
  if (!parsed.ok) return { value: Number.NaN, problem: typed.trim() === '' ? rule.message : parsed.message };
  const { value } = parsed;
  if (rule.isValid(value)) return { value, problem: null };
  return { value: Number.NaN, problem: value < 0 ? (rule.negativeMessage ?? rule.message) : rule.message };
}

import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import { type AccountRow, deleteAccount, findAccount, insertAccount, updateAccount } from './account-queries.ts';
import { deleteLeftOut, renameConnected } from './connected-queries.ts';
import {
  type Account,
  ACCOUNT_LIMIT,
  type AccountBase,
  type AccountList,
  type Explanation,
  routes,
} from './contract.ts';
import { parseIdParam, type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { mergeAccount } from './merge-account.ts';
import { dismissDuplicate } from './merge-queries.ts';
import { type Conversion, convertToBase, listRates } from './convert-net-worth.ts';
import { addAmounts, sumAmounts } from './holding-figures.ts';
import { toAccountTotals, toNumber } from './holding-responses.ts';
import { describeRate, toPortfolioHolding } from './list-portfolio-holdings.ts';
import { explainBalance } from './explain-holdings.ts';
import { type PortfolioRows, readPortfolioRows } from './portfolio-queries.ts';
import type { AnyHoldingRow } from './queries.ts';
import { type BaseConversion, type ConversionContext, listOtherCurrencies, readConversion } from './read-conversion.ts';

const ACCOUNT_NOT_FOUND_MESSAGE = 'You have no account with this id.';
const NOTHING_TO_MERGE_MESSAGE = 'You have no connected account and no account kept by hand with these ids.';
const CONNECTED_ACCOUNT_MESSAGE =
  "This account comes from a connection: its balance is the institution's, and it goes when the connection is removed.";

/** Adds `/api/accounts`: the member's accounts, and changes to manual accounts. */
export function addAccountRoutes(app: HttpApp, access: MemberAccess & ConversionContext & { sql: ServiceSql }): void {
  // The shared demo account has no connections.
  const connectionEditorGuard = access.guards.editor({ rejects: ['demo-account', 'sample-user'] });

  route(app, routes.listAccounts, async (request, reply) => {
    const member = access.guards.getMember(request);
    const sql = access.readAsMember(member);
    reply.headers(PRIVATE_CACHE_CONTROL);
    const rows = await readPortfolioRows(sql, { idpId: member.idpId }, ['settings', 'accounts', 'holdings']);
    const conversion = await readConversion(access, rows.settings, [...rows.accounts, ...rows.holdings]);
    return toAccountList(rows, conversion, request.query.explain === '1');
  });

  route(app, routes.createAccount, async (request, reply) => {
    const member = access.guards.getMember(request);
    const row = await insertAccount(access.asMember(member), member.idpId, request.body);
    if (!row)
      throw new AppError('LIMIT_REACHED', {
        message: `You have ${ACCOUNT_LIMIT} accounts, the most there can be.`,
        body: { limit: ACCOUNT_LIMIT },
      });
    return reply.code(201).send({ account: toAccountResponse(row) });
  });

  route(app, routes.changeAccount, async (request) => {
    const member = access.guards.getMember(request);
    const sql = access.asMember(member);
    const id = parseIdParam(request.params, ACCOUNT_NOT_FOUND_MESSAGE);
    const { name, balance } = request.body;
    // The name of a connected account is the member's and the rest the institution's. The member's database role may
    // change neither.
    const changed =
      (await updateAccount(sql, member.idpId, id, request.body)) ||
      (name !== undefined && balance === undefined && (await renameConnected(access.sql, member.idpId, id, name)));
    const row = await findAccount(sql, id);
    if (!row) throw new AppError('NOT_FOUND', { message: ACCOUNT_NOT_FOUND_MESSAGE });
    if (!changed) throw new AppError('CONFLICT', { message: CONNECTED_ACCOUNT_MESSAGE });
    return { account: toAccountResponse(row) };
  });

  route(app, routes.mergeAccount, { guard: connectionEditorGuard }, async (request) => {
    const { idpId } = access.guards.getMember(request);
    const accountId = parseIdParam(request.params, ACCOUNT_NOT_FOUND_MESSAGE);
    const { duplicate_id: duplicateId, dry_run: isDryRun } = request.body;
    const merged = await mergeAccount(access.sql, { idpId, accountId, duplicateId, isDryRun });
    if (merged.ok) return merged.merge;
    if (merged.reason === 'not_found') throw new AppError('NOT_FOUND', { message: NOTHING_TO_MERGE_MESSAGE });
    throw new AppError('CONFLICT', { message: 'The two accounts are not in the same currency.' });
  });

  route(app, routes.keepDuplicate, { guard: connectionEditorGuard }, async (request, reply) => {
    const { idpId } = access.guards.getMember(request);
    if (!(await dismissDuplicate(access.sql, idpId, parseIdParam(request.params, ACCOUNT_NOT_FOUND_MESSAGE))))
      throw new AppError('NOT_FOUND', { message: ACCOUNT_NOT_FOUND_MESSAGE });
    return reply.code(204).send();
  });

  route(app, routes.deleteAccount, async (request, reply) => {
    const member = access.guards.getMember(request);
    const { idpId } = member;
    const sql = access.asMember(member);
    const id = parseIdParam(request.params, ACCOUNT_NOT_FOUND_MESSAGE);
    const isDeleted = (await deleteAccount(sql, idpId, id)) || (await deleteLeftOut(access.sql, idpId, id));
    if (isDeleted) return reply.code(204).send();
    throw (await findAccount(sql, id))
      ? new AppError('CONFLICT', { message: CONNECTED_ACCOUNT_MESSAGE })
      : new AppError('NOT_FOUND', { message: ACCOUNT_NOT_FOUND_MESSAGE });
  });
}

/**
 * Returns the accounts as the API does, with the totals of their holdings and their value in the base currency.
 * `isExplained` adds how each figure came about.
 */
export function toAccountList(
  { accounts, holdings }: Pick<PortfolioRows, 'accounts' | 'holdings'>,
  conversion: BaseConversion,
  isExplained = false,
): AccountList {
  const holdingsByAccount = Map.groupBy(holdings, ({ account_id: id }) => id);
  return {
    currency: conversion.currency,
    accounts: accounts.map((row) => {
      const held = holdingsByAccount.get(row.id) ?? [];
      return {
        ...toAccountResponse(row),
        totals: toAccountTotals(held, isExplained),
        base: toBaseValue(row, held, conversion),
        ...(isExplained && { explain: explainBalance(row), explain_base: explainBaseValue(row, held, conversion) }),
      };
    }),
    limit: ACCOUNT_LIMIT,
    rates: listRates(listOtherCurrencies([...accounts, ...holdings], conversion.currency), conversion),
  };
}

/** Returns cash plus holdings of an account in the base currency, and the amounts whose currency has no rate. */
function toBaseValue(account: AccountRow, holdings: readonly AnyHoldingRow[], conversion: Conversion): AccountBase {
  const amounts = [{ currency: account.currency, value: account.balance }, ...holdings].filter(hasAmount);
  const converted = amounts.map(({ currency, value }) => convertToBase(value, currency, conversion));
  const known = converted.filter((value) => value !== null);
  const unconverted = amounts.filter((_, index) => converted[index] === null);
  return {
    value: known.length === 0 && amounts.length > 0 ? null : Number(addAmounts(known)),
    excluded: [...Map.groupBy(unconverted, ({ currency }) => currency)].map(([currency, group]) => ({
      currency,
      amount: sumAmounts(group.map(({ value }) => value))!,
      reason: 'no_rate' as const,
    })),
  };
}

const hasAmount = (row: {
  currency: string | null;
  value: string | null;
}): row is { currency: string; value: string } =>
  row.currency !== null && row.value !== null && Number(row.value) !== 0;

/** Explains the value in the base currency by the cash and each holding. */
function explainBaseValue(
  account: AccountRow,
  holdings: readonly AnyHoldingRow[],
  conversion: Conversion,
): Explanation {
  const parts = holdings.map((row) => toPortfolioHolding(row, conversion, true).explain!);
  const cash = Number(account.balance) !== 0 || holdings.length === 0 ? [explainBaseCash(account, conversion)] : [];
  return {
    terms: [...cash, ...parts].flatMap(({ terms }) => terms),
    excluded: [...cash, ...parts].flatMap(({ excluded }) => excluded),
  };
}

function explainBaseCash(account: AccountRow, conversion: Conversion): Explanation {
  const { terms } = explainBalance(account);
  const amount = convertToBase(account.balance, account.currency, conversion);
  const [{ label, amount: balance }] = terms as [Explanation['terms'][number]];
  if (amount === null)
    return { terms: [], excluded: [{ what: label, amount: balance, currency: account.currency, reason: 'no_rate' }] };
  const converted = { amount: Number(amount), currency: conversion.currency, price_currency: account.currency };
  return {
    terms: terms.map((term) => ({ ...term, ...converted, ...describeRate(account.currency, conversion) })),
    excluded: [],
  };
}

const toAccountResponse = (row: AccountRow): Account => ({
  ...row,
  balance: toNumber(row.balance),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import { type AccountRow, deleteAccount, findAccount, insertAccount, updateAccount } from './account-queries.ts';
import { deleteLeftOut, renameConnected } from './connected-queries.ts';
import { type Account, ACCOUNT_LIMIT, type AccountList, routes } from './contract.ts';
import { parseIdParam, type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { mergeAccount } from './merge-account.ts';
import { dismissDuplicate } from './merge-queries.ts';
import { toAccountTotals, toNumber } from './holding-responses.ts';
import { explainBalance } from './explain-holdings.ts';
import { type PortfolioRows, readPortfolioRows } from './portfolio-queries.ts';
import { listHoldings, type UnlistedRow } from './queries.ts';

const ACCOUNT_NOT_FOUND_MESSAGE = 'You have no account with this id.';
const NOTHING_TO_MERGE_MESSAGE = 'You have no connected account and no account kept by hand with these ids.';
const CONNECTED_ACCOUNT_MESSAGE =
  "This account comes from a connection: its balance is the institution's, and it goes when the connection is removed.";

/** Adds `/api/accounts`: the member's accounts, and changes to manual accounts. */
export function addAccountRoutes(app: HttpApp, access: MemberAccess & { sql: ServiceSql }): void {
  // The shared demo account has no connections.
  const connectionEditorGuard = access.guards.editor({ rejects: ['demo-account', 'sample-user'] });

  route(app, routes.listAccounts, async (request, reply) => {
    const member = access.guards.getMember(request);
    const sql = access.asMember(member);
    reply.headers(PRIVATE_CACHE_CONTROL);
    const [rows, holdings] = await Promise.all([
      readPortfolioRows(sql, { idpId: member.idpId }, ['accounts', 'position_parts']),
      request.query.explain === '1' ? listHoldings(sql) : undefined,
    ]);
    return toAccountList(rows, holdings?.unlisted);
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

/** Returns the accounts with the totals of their holdings as the API does, explained if unlisted holdings are given. */
export function toAccountList(
  { accounts, position_parts: parts }: Pick<PortfolioRows, 'accounts' | 'position_parts'>,
  unlisted?: readonly UnlistedRow[],
): AccountList {
  const partsByAccount = Map.groupBy(parts, ({ account_id: id }) => id);
  return {
    accounts: accounts.map((row) => ({
      ...toAccountResponse(row),
      totals: toAccountTotals(
        partsByAccount.get(row.id) ?? [],
        unlisted?.filter(({ account_id: id }) => id === row.id),
      ),
      ...(unlisted && { explain: explainBalance(row) }),
    })),
    limit: ACCOUNT_LIMIT,
  };
}

const toAccountResponse = (row: AccountRow): Account => ({
  ...row,
  balance: toNumber(row.balance),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

import type { ServiceSql } from '../../../platform/database/roles.ts';
import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { route } from '../../../platform/http/route.ts';
import { parseIdParam, type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../../platform/identity/member-access.ts';
import { holdingsSql } from '../holdings/queries.ts';
import { netWorthSql, settingsSql } from '../net-worth/queries.ts';
import { type ConversionContext, readConversion } from '../net-worth/read-conversion.ts';
import { readRows } from '../net-worth/row-queries.ts';
import { deleteLeftOut, renameConnected } from './connected-queries.ts';
import { ACCOUNT_LIMIT, routes } from './contract.ts';
import { toAccountList, toAccountResponse } from './list-accounts.ts';
import { mergeAccount } from './merge-account.ts';
import { dismissDuplicate } from './merge-queries.ts';
import { accountsSql, deleteAccount, findAccount, insertAccount, updateAccount } from './queries.ts';

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
    const sql = access.asMember(member);
    reply.headers(PRIVATE_CACHE_CONTROL);
    const rows = await readRows(
      sql,
      { idpId: member.idpId },
      {
        settings: settingsSql,
        accounts: accountsSql,
        holdings: holdingsSql,
        net_worth: netWorthSql,
      },
    );
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

import type { ServiceSql } from '../../platform/database/roles.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import {
  type AccountRow,
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  updateAccount,
} from './account-queries.ts';
import { deleteLeftOut, renameConnected } from './connected-queries.ts';
import { type Account, ACCOUNT_LIMIT, routes } from './contract.ts';
import { idFrom, type MemberAccess, OWN_READ } from '../../platform/identity/member-access.ts';
import { mergeAccount } from './merge-account.ts';
import { keepDuplicate } from './merge-queries.ts';
import { toNumber } from './present-holdings.ts';

const MISSING = 'You have no account with this id.';
const NOTHING_TO_MERGE = 'You have no connected account and no account kept by hand with these ids.';
const CONNECTED =
  "This account comes from a connection: its balance is the institution's, and it goes when the connection is removed.";

/** `/api/accounts`: the member's accounts, and changes to those that were entered by hand. */
export function addAccountRoutes(app: HttpApp, access: MemberAccess & { sql: ServiceSql }): void {
  // The shared demo account has no connections of its own.
  const ownConnections = access.guards.editor({ refuses: ['demo-account', 'sample-user'] });

  route(app, routes.listAccounts, async (request, reply) => {
    const sql = access.asMember(access.guards.memberOf(request));
    reply.headers(OWN_READ);
    return { accounts: (await listAccounts(sql)).map(presentAccount), limit: ACCOUNT_LIMIT };
  });

  route(app, routes.createAccount, async (request, reply) => {
    const member = access.guards.memberOf(request);
    const row = await insertAccount(access.asMember(member), member.idpId, request.body);
    if (!row)
      throw new Failure('LIMIT_REACHED', {
        message: `You have ${ACCOUNT_LIMIT} accounts, the most there can be.`,
        body: { limit: ACCOUNT_LIMIT },
      });
    return reply.code(201).send({ account: presentAccount(row) });
  });

  route(app, routes.changeAccount, async (request) => {
    const member = access.guards.memberOf(request);
    const sql = access.asMember(member);
    const id = idFrom(request.params, MISSING);
    const { name, balance } = request.body;
    // A connected account's name is the member's, the rest the institution's; their own role may change neither.
    const changed =
      (await updateAccount(sql, id, request.body)) ||
      (name !== undefined && balance === undefined && (await renameConnected(access.sql, member.idpId, id, name)));
    const row = await findAccount(sql, id);
    if (!row) throw new Failure('NOT_FOUND', { message: MISSING });
    if (!changed) throw new Failure('CONFLICT', { message: CONNECTED });
    return { account: presentAccount(row) };
  });

  route(app, routes.mergeAccount, { guard: ownConnections }, async (request) => {
    const { idpId } = access.guards.memberOf(request);
    const accountId = idFrom(request.params, MISSING);
    const { duplicate_id: duplicateId, dry_run: isDryRun } = request.body;
    const merged = await mergeAccount(access.sql, { idpId, accountId, duplicateId, isDryRun });
    if (merged.ok) return merged.merge;
    if (merged.reason === 'not_found') throw new Failure('NOT_FOUND', { message: NOTHING_TO_MERGE });
    throw new Failure('CONFLICT', { message: 'The two accounts are not in the same currency.' });
  });

  route(app, routes.keepDuplicate, { guard: ownConnections }, async (request, reply) => {
    const { idpId } = access.guards.memberOf(request);
    if (!(await keepDuplicate(access.sql, idpId, idFrom(request.params, MISSING))))
      throw new Failure('NOT_FOUND', { message: MISSING });
    return reply.code(204).send();
  });

  route(app, routes.deleteAccount, async (request, reply) => {
    const member = access.guards.memberOf(request);
    const { idpId } = member;
    const sql = access.asMember(member);
    const id = idFrom(request.params, MISSING);
    const isGone = (await deleteAccount(sql, id)) || (await deleteLeftOut(access.sql, idpId, id));
    if (isGone) return reply.code(204).send();
    throw (await findAccount(sql, id))
      ? new Failure('CONFLICT', { message: CONNECTED })
      : new Failure('NOT_FOUND', { message: MISSING });
  });
}

const presentAccount = (row: AccountRow): Account => ({
  ...row,
  balance: toNumber(row.balance),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

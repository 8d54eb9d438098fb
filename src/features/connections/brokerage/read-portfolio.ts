import { z } from 'zod';
import type { PortfolioRead } from '../aggregator.ts';
import { account as accountAnswer, authorization, balance, type BrokerageAccount, positions } from './answers.ts';
import type { BrokerageUser, ConnectionAccess } from './credential.ts';
import { hidesHoldings, isPartial, presentAccount, type ReadAccount, wholeOf } from './read-accounts.ts';
import { readHoldings } from './read-holdings.ts';
import { isUnknownUser, type SnaptradeClient, type SnaptradeFailure } from './snaptrade-client.ts';

/** All calls of one reading together; less than the lease of an attempt. */
const READING_MS = 60_000;

/** Reads a connection's accounts, with balances and positions of each. */
export async function readPortfolio(client: SnaptradeClient, access: ConnectionAccess): Promise<PortfolioRead> {
  const { connectionId: authorizationId, userId, userSecret } = access;
  const user = { userId, userSecret };
  const call = client.callWithin(AbortSignal.timeout(READING_MS));
  const found = await call(authorization, (api, options) =>
    api.connections.detailBrokerageAuthorization({ authorizationId, ...user }, options),
  );
  if (!found.ok) return found.status === 404 ? { ok: false, reason: 'revoked', code: found.code } : failed(found);
  if (found.data.disabled) return { ok: false, reason: 'login_required', code: 'DISABLED' };
  const listed = await call(z.array(accountAnswer), (api, options) =>
    api.connections.listBrokerageAuthorizationAccounts({ authorizationId, ...user }, options),
  );
  if (!listed.ok) return failed(listed);

  const read: ReadAccount[] = [];
  for (const account of listed.data) {
    const one = await readAccount(call, user, account);
    if ('ok' in one) return failed(one);
    read.push(one);
  }
  const parts = read.map((one) => (hidesHoldings(one.account) ? wholeOf(one) : isPartial(one) ? null : one.holdings));
  return {
    ok: true,
    portfolio: {
      accounts: read.flatMap(presentAccount),
      holdings: parts.every((part) => part !== null) ? parts.flat() : null,
      isExpiring: false,
      isPopulating: read.some((one) => one.isPopulating),
    },
  };
}

async function readAccount(
  call: SnaptradeClient['call'],
  user: BrokerageUser,
  account: BrokerageAccount,
): Promise<ReadAccount | SnaptradeFailure> {
  const request = { accountId: account.id, ...user };
  const balances = await call(z.array(balance), (api, options) =>
    api.accountInformation.getUserAccountBalance(request, options),
  );
  if (!balances.ok && balances.status !== 425) return balances;
  const held = await call(positions, (api, options) => api.accountInformation.getAllAccountPositions(request, options));
  // Positions that are being fetched, or that the brokerage does not offer any more: those that are stored stay.
  if (!held.ok && held.status !== 425 && held.status !== 410) return held;
  const isPopulating =
    account.sync_status?.holdings?.initial_sync_completed === false || [balances, held].some(isBeingFetched);
  return {
    ...{ account, isPopulating },
    balances: balances.ok ? balances.data : null,
    holdings: held.ok && !isPopulating ? readHoldings(account.id, held.data) : null,
  };
}

const isBeingFetched = (answer: { ok: true } | SnaptradeFailure): boolean => !answer.ok && answer.status === 425;

function failed(failure: SnaptradeFailure): PortfolioRead {
  const { status, code } = failure;
  if (status === 402) return { ok: false, reason: 'login_required', code };
  if (isUnknownUser(failure)) return { ok: false, reason: 'revoked', code };
  return { ok: false, reason: 'unavailable', code };
}

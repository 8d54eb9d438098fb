import { z } from 'zod';
import type { PortfolioRead } from '../aggregator.ts';
import { account as accountAnswer, authorization, balance, type BrokerageAccount, positions } from './schemas.ts';
import type { BrokerageUser, ConnectionAccess } from './credential.ts';
import { hasNoHoldingsApi, isPartial, toAccounts, type ReadAccount, toSingleHolding } from './read-accounts.ts';
import { readHoldings } from './read-holdings.ts';
import { isUnknownUser, type SnaptradeClient, type SnaptradeFailure } from './snaptrade-client.ts';

/** Timeout in ms for all calls of one reading. It is shorter than the lease of an attempt. */
const READ_TIMEOUT_MS = 60_000;

/** Reads a connection's accounts with the balances and positions of each. */
export async function readPortfolio(client: SnaptradeClient, access: ConnectionAccess): Promise<PortfolioRead> {
  const { connectionId: authorizationId, userId, userSecret } = access;
  const user = { userId, userSecret };
  const call = client.withSignal(AbortSignal.timeout(READ_TIMEOUT_MS));
  const authorizationResult = await call(authorization, (api, options) =>
    api.connections.detailBrokerageAuthorization({ authorizationId, ...user }, options),
  );
  if (!authorizationResult.ok)
    return authorizationResult.status === 404
      ? { ok: false, reason: 'revoked', code: authorizationResult.code }
      : toFailedRead(authorizationResult);
  if (authorizationResult.data.disabled) return { ok: false, reason: 'login_required', code: 'DISABLED' };
  const accountsResult = await call(z.array(accountAnswer), (api, options) =>
    api.connections.listBrokerageAuthorizationAccounts({ authorizationId, ...user }, options),
  );
  if (!accountsResult.ok) return toFailedRead(accountsResult);

  const accountReads: ReadAccount[] = [];
  for (const account of accountsResult.data) {
    const accountRead = await readAccount(call, user, account);
    if ('ok' in accountRead) return toFailedRead(accountRead);
    accountReads.push(accountRead);
  }
  const holdingsByAccount = accountReads.map((accountRead) => {
    if (hasNoHoldingsApi(accountRead.account)) return toSingleHolding(accountRead);
    return isPartial(accountRead) ? null : accountRead.holdings;
  });
  return {
    ok: true,
    portfolio: {
      accounts: accountReads.flatMap(toAccounts),
      holdings: holdingsByAccount.every((holdings) => holdings !== null) ? holdingsByAccount.flat() : null,
      isExpiring: false,
      isPopulating: accountReads.some((accountRead) => accountRead.isPopulating),
    },
  };
}

async function readAccount(
  call: SnaptradeClient['call'],
  user: BrokerageUser,
  account: BrokerageAccount,
): Promise<ReadAccount | SnaptradeFailure> {
  const request = { accountId: account.id, ...user };
  const balancesResult = await call(z.array(balance), (api, options) =>
    api.accountInformation.getUserAccountBalance(request, options),
  );
  if (!balancesResult.ok && balancesResult.status !== 425) return balancesResult;
  const positionsResult = await call(positions, (api, options) =>
    api.accountInformation.getAllAccountPositions(request, options),
  );
  // If positions are still being fetched (425) or no longer offered (410), the stored ones are kept.
  if (!positionsResult.ok && positionsResult.status !== 425 && positionsResult.status !== 410) return positionsResult;
  const isPopulating =
    account.sync_status?.holdings?.initial_sync_completed === false ||
    [balancesResult, positionsResult].some(isBeingFetched);
  return {
    account,
    isPopulating,
    balances: balancesResult.ok ? balancesResult.data : null,
    holdings: positionsResult.ok && !isPopulating ? readHoldings(account.id, positionsResult.data) : null,
  };
}

const isBeingFetched = (result: { ok: true } | SnaptradeFailure): boolean => !result.ok && result.status === 425;

function toFailedRead(failure: SnaptradeFailure): PortfolioRead {
  const { status, code } = failure;
  if (status === 402) return { ok: false, reason: 'login_required', code };
  if (isUnknownUser(failure)) return { ok: false, reason: 'revoked', code };
  return { ok: false, reason: 'unavailable', code };
}

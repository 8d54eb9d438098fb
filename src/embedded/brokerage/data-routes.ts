import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { BrokerageContext } from './brokerage-context.ts';
import { BROKERAGES, PLANS, type EmbeddedAccount } from './brokerage-data.ts';
import { BrokerageError, brokerageErrors } from './brokerage-error.ts';
import { type Authorization, listAuthorizations } from './queries.ts';

/** Seconds for which a slow brokerage has not told its accounts' contents yet. */
const SLOW_SECONDS = 20;

type Call = NonNullable<Authorization['data']['fault']>['on'];

/** What is read of a person's connections. */
export function addDataRoutes(
  scope: HttpApp,
  { sql, now }: BrokerageContext,
  personOf: (request: FastifyRequest) => Promise<string>,
): void {
  const isSlow = ({ data: { user, createdAt } }: Authorization): boolean =>
    user === 'user_slow' && now().getTime() < Date.parse(createdAt) + SLOW_SECONDS * 1_000;

  const find = async (request: FastifyRequest, call: Call, isIt: (one: Authorization) => boolean) => {
    const found = (await listAuthorizations(sql, await personOf(request))).find(isIt);
    if (!found) throw brokerageErrors.notFound();
    const { fault } = found.data;
    if (fault?.on === call) throw new BrokerageError(fault.status, fault.code, fault.retryAfter);
    return found;
  };
  const authorizationOf = (request: FastifyRequest, call: Call): Promise<Authorization> =>
    find(request, call, ({ id }) => id === idOf(request));
  const accountOf = async (request: FastifyRequest, call: Call): Promise<EmbeddedAccount> => {
    const isIt = ({ id }: EmbeddedAccount): boolean => id === idOf(request);
    const found = await find(request, call, ({ data }) => data.accounts.some(isIt));
    if (isSlow(found)) throw brokerageErrors.populating();
    return found.data.accounts.find(isIt)!;
  };

  scope.get('/authorizations', async (request) =>
    (await listAuthorizations(sql, await personOf(request))).map((one) => presentAuthorization(one, now())),
  );
  scope.get('/authorizations/:id', async (request) =>
    presentAuthorization(await authorizationOf(request, 'authorization'), now()),
  );
  scope.get('/authorizations/:id/accounts', async (request) => {
    const found = await authorizationOf(request, 'accounts');
    return found.data.accounts.map((account) => presentAccount(found, account, isSlow(found)));
  });
  scope.get('/accounts/:id/balances', async (request) => {
    const { plan } = await accountOf(request, 'balances');
    return PLANS[plan].balances.map(({ currency, cash }) => ({
      currency: { id: currency, code: currency, name: currency },
      cash,
      buying_power: cash,
    }));
  });
  scope.get('/accounts/:id/positions/all', async (request) => {
    const { plan } = await accountOf(request, 'positions');
    return { results: PLANS[plan].positions, data_freshness: { as_of: now().toISOString() } };
  });
  scope.get('/accounts/:id/positions', async () => {
    throw brokerageErrors.sunset();
  });
}

const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id;

const presentAuthorization = ({ id, state, data: { brokerage, createdAt, breaksAt } }: Authorization, now: Date) => ({
  id,
  created_date: createdAt,
  type: 'read',
  name: `Connection to ${BROKERAGES[brokerage] ?? brokerage}`,
  brokerage: { id: brokerage, slug: brokerage, name: brokerage, display_name: BROKERAGES[brokerage] ?? brokerage },
  disabled: state === 'disabled' || (breaksAt !== undefined && Date.parse(breaksAt) <= now.getTime()),
  disabled_date: null,
  meta: {},
});

const presentAccount = (
  { id: brokerage_authorization, data }: Authorization,
  { id, plan }: EmbeddedAccount,
  isSlow: boolean,
) => ({
  id,
  brokerage_authorization,
  institution_account_id: `${data.user}-${plan}`,
  is_paper: false,
  status: 'open',
  name: PLANS[plan].name,
  number: PLANS[plan].number,
  raw_type: PLANS[plan].type,
  created_date: data.createdAt,
  account_category: 'INVESTMENT',
  institution_name: BROKERAGES[data.brokerage] ?? data.brokerage,
  balance: { total: { amount: PLANS[plan].total, currency: 'USD' } },
  sync_status: {
    holdings: { initial_sync_completed: !isSlow, last_successful_sync: isSlow ? null : data.createdAt },
    transactions: { initial_sync_completed: !isSlow, last_successful_sync: null },
  },
});

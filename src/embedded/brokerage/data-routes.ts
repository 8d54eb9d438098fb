import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { BrokerageContext } from './brokerage-context.ts';
import { BROKERAGES, ACCOUNT_TEMPLATES, type EmbeddedAccount } from './brokerage-data.ts';
import { BrokerageError, brokerageErrors } from './brokerage-error.ts';
import { type Authorization, listAuthorizations } from './queries.ts';

/** Seconds after the connection during which a slow brokerage returns no account contents. */
const POPULATING_SECONDS = 20;

type Call = NonNullable<Authorization['data']['fault']>['on'];

/** Adds the endpoints that read a person's connections. */
export function addDataRoutes(
  scope: HttpApp,
  { sql, now }: BrokerageContext,
  authenticateUser: (request: FastifyRequest) => Promise<string>,
): void {
  const isPopulating = ({ data: { user, createdAt } }: Authorization): boolean =>
    user === 'user_slow' && now().getTime() < Date.parse(createdAt) + POPULATING_SECONDS * 1_000;

  const findAuthorization = async (
    request: FastifyRequest,
    call: Call,
    matches: (authorization: Authorization) => boolean,
  ) => {
    const found = (await listAuthorizations(sql, await authenticateUser(request))).find(matches);
    if (!found) throw brokerageErrors.notFound();
    const { fault } = found.data;
    if (fault?.on === call) throw new BrokerageError(fault.status, fault.code, fault.retryAfter);
    return found;
  };
  const getAuthorization = (request: FastifyRequest, call: Call): Promise<Authorization> =>
    findAuthorization(request, call, ({ id }) => id === getIdParam(request));
  const getAccount = async (request: FastifyRequest, call: Call): Promise<EmbeddedAccount> => {
    const matches = ({ id }: EmbeddedAccount): boolean => id === getIdParam(request);
    const found = await findAuthorization(request, call, ({ data }) => data.accounts.some(matches));
    if (isPopulating(found)) throw brokerageErrors.populating();
    return found.data.accounts.find(matches)!;
  };

  scope.get('/authorizations', async (request) =>
    (await listAuthorizations(sql, await authenticateUser(request))).map((authorization) =>
      toAuthorizationResponse(authorization, now()),
    ),
  );
  scope.get('/authorizations/:id', async (request) =>
    toAuthorizationResponse(await getAuthorization(request, 'authorization'), now()),
  );
  scope.get('/authorizations/:id/accounts', async (request) => {
    const found = await getAuthorization(request, 'accounts');
    return found.data.accounts.map((account) => toAccountResponse(found, account, isPopulating(found)));
  });
  scope.get('/accounts/:id/balances', async (request) => {
    const { plan } = await getAccount(request, 'balances');
    return ACCOUNT_TEMPLATES[plan].balances.map(({ currency, cash }) => ({
      currency: { id: currency, code: currency, name: currency },
      cash,
      buying_power: cash,
    }));
  });
  scope.get('/accounts/:id/positions/all', async (request) => {
    const { plan } = await getAccount(request, 'positions');
    return { results: ACCOUNT_TEMPLATES[plan].positions, data_freshness: { as_of: now().toISOString() } };
  });
}

const getIdParam = ({ params }: FastifyRequest): string => (params as { id: string }).id;

const toAuthorizationResponse = (
  { id, state, data: { brokerage, createdAt, breaksAt } }: Authorization,
  now: Date,
) => ({
  id,
  created_date: createdAt,
  type: 'read',
  name: `Connection to ${BROKERAGES[brokerage] ?? brokerage}`,
  brokerage: { id: brokerage, slug: brokerage, name: brokerage, display_name: BROKERAGES[brokerage] ?? brokerage },
  disabled: state === 'disabled' || (breaksAt !== undefined && Date.parse(breaksAt) <= now.getTime()),
  disabled_date: null,
  meta: {},
});

const toAccountResponse = (
  { id: brokerage_authorization, data }: Authorization,
  { id, plan }: EmbeddedAccount,
  isPopulating: boolean,
) => ({
  id,
  brokerage_authorization,
  institution_account_id: `${data.user}-${plan}`,
  is_paper: false,
  status: 'open',
  name: ACCOUNT_TEMPLATES[plan].name,
  number: ACCOUNT_TEMPLATES[plan].number,
  raw_type: ACCOUNT_TEMPLATES[plan].type,
  created_date: data.createdAt,
  account_category: 'INVESTMENT',
  institution_name: BROKERAGES[data.brokerage] ?? data.brokerage,
  balance: { total: { amount: ACCOUNT_TEMPLATES[plan].total, currency: 'USD' } },
  sync_status: {
    holdings: { initial_sync_completed: !isPopulating, last_successful_sync: isPopulating ? null : data.createdAt },
    transactions: { initial_sync_completed: !isPopulating, last_successful_sync: null },
  },
});

import { z } from 'zod';
import { defineRoutes, limitReached, namedObject, namedStrictObject, noContent } from '../../platform/http/contract.ts';

const kind = z.enum(['bank', 'brokerage']);
export type ConnectionKind = z.infer<typeof kind>;

const status = z
  .enum(['active', 'login_required', 'expiring', 'revoked'])
  .describe(
    'login_required: the institution requires a new sign-in; expiring: it will soon; revoked: access ' +
      'was withdrawn. A repair resolves all three.',
  );
export type ConnectionStatus = z.infer<typeof status>;

const connectedAccount = namedObject('ConnectedAccount', {
  id: z.uuid().describe('The same id as in `GET /api/accounts`.'),
  name: z.string(),
  mask: z.string().nullable().describe('The last digits of its number.'),
  type: z.string().nullable().describe('Type at the institution, such as `checking`.'),
  balance: z.number().describe('Cash without holdings. Negative for debt.'),
  currency: z.string(),
  left_out: z
    .boolean()
    .describe(
      'The institution has not shared the account since another sign-in, so its figures are out of ' +
        'date. A `repair` that selects it includes it again, and `DELETE /api/accounts/{id}` deletes it.',
    ),
  duplicate: z
    .object({ id: z.uuid(), name: z.string() })
    .nullable()
    .describe(
      'A manual account that resembles this one. Both count. `POST /api/accounts/{id}/merge` merges ' +
        'them, and `POST /api/accounts/{id}/keep-duplicate` marks them as different.',
    ),
});

const connection = namedObject('Connection', {
  id: z.uuid(),
  kind,
  institution: z.string(),
  status,
  accounts: z.array(connectedAccount),
  connected_at: z.iso.datetime(),
  synced_at: z.iso.datetime().nullable().describe('When accounts and holdings were last read completely.'),
});
export type Connection = z.infer<typeof connection>;

export const connectionList = namedObject('Connections', { connections: z.array(connection) });
export type ConnectionList = z.infer<typeof connectionList>;

/** Kinds of connections that a member can create. Empty if none is configured. */
const offerList = namedObject('ConnectionOffers', {
  offers: z.array(
    z.object({ kind, sandbox: z.boolean().describe('True for the sandbox, which connects to no real institution.') }),
  ),
});

/** `repair` is the connection to reauthenticate or extend. Its kind must match `kind`. */
const startRequest = namedStrictObject('StartConnectionRequest', { kind, repair: z.guid().optional() });
const started = namedObject('StartedConnection', {
  attempt_id: z.uuid(),
  url: z.string().describe('The aggregator’s page, which the browser opens.'),
});

/** `returned` is the query of the redirect. It is only a hint which data to request from the aggregator. */
const finishRequest = namedStrictObject('FinishConnectionRequest', {
  attempt_id: z.guid(),
  returned: z
    .strictObject({
      status: z.enum(['SUCCESS', 'ERROR', 'ABANDONED']),
      connection_id: z.string().min(1).max(100).optional(),
      error_code: z
        .string()
        .regex(/^[A-Za-z0-9_]{1,40}$/)
        .optional(),
      status_code: z.string().max(10).optional(),
    })
    .optional(),
});
export type RedirectQuery = NonNullable<z.infer<typeof finishRequest>['returned']>;

const finished = namedObject('FinishedConnection', {
  status: z.enum(['connected', 'pending', 'abandoned', 'failed', 'duplicate']),
  connection: connection.optional().describe('The new connection with `connected`, the existing one with `duplicate`.'),
  code: z
    .string()
    .optional()
    .describe(
      'Reason: NO_ACCOUNTS, EXPIRED, REPAIR_NEEDED (a duplicate that requires a sign-in), or a code of ' +
        'the aggregator. With `connected`, if an existing connection received the new sign-in: ' +
        'ACCOUNTS_ADDED, or ACCOUNTS_LEFT_OUT if the institution no longer shares some of its accounts.',
    ),
});
export type FinishedConnection = z.infer<typeof finished>;

const refreshed = namedObject('RefreshedConnection', {
  status: z
    .enum(['updated', 'incomplete', 'pending', 'sign_in_needed'])
    .describe(
      'incomplete: a part could not be read and keeps its last figures; pending: the institution has not answered ' +
        'yet, so `synced_at` changes later; sign_in_needed: a repair is necessary first.',
    ),
  connection,
});
export const routes = defineRoutes(
  { tag: { name: 'Connections', description: 'Accounts at banks and brokerages, read through an aggregator.' } },
  {
    listConnections: {
      endpoint: 'GET /api/connections',
      summary: 'List connections',
      description: 'Connections with their accounts, oldest first.',
      responses: { 200: connectionList },
    },
    listConnectionOffers: {
      endpoint: 'GET /api/connections/offers',
      summary: 'List connectable institutions',
      responses: { 200: offerList },
    },
    startConnection: {
      endpoint: 'POST /api/connections/start',
      variesByDemoTour: true,
      summary: 'Start a connection',
      description:
        'The browser opens `url` and returns to `/connections/return/{attempt_id}`, also after a failure. ' +
        '`POST /api/connections/finish` then reads the result from the aggregator. With `repair` the ' +
        'member selects the accounts again, and the connection keeps its id. Without `repair`, a sign-in ' +
        'at an institution that is already connected adds the new accounts.',
      body: startRequest,
      responses: { 201: started },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND', limitReached, 'NOT_CONFIGURED', 'UNAVAILABLE'],
    },
    finishConnection: {
      endpoint: 'POST /api/connections/finish',
      variesByDemoTour: true,
      summary: 'Finish a connection',
      description:
        'Safe to repeat. `pending`: the aggregator has no result yet; send the request again in a few ' +
        'seconds. `returned` has the query parameters with which a brokerage’s page redirected the ' +
        'browser. Another member’s `connection_id` returns 404.',
      body: finishRequest,
      responses: { 200: finished },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
    },
    refreshConnection: {
      endpoint: 'POST /api/connections/{id}/refresh',
      variesByDemoTour: true,
      summary: 'Refresh a connection',
      description:
        'Reads accounts and holdings from the aggregator now, at most once a minute for each connection (429 with ' +
        '`retry-after`). 503 if the aggregator does not answer or rejects the request; stored figures are kept.',
      params: z.object({ id: z.string() }),
      responses: { 200: refreshed },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND', 'NOT_CONFIGURED', 'UNAVAILABLE'],
    },
    removeConnection: {
      endpoint: 'DELETE /api/connections/{id}',
      variesByDemoTour: true,
      summary: 'Remove a connection',
      description:
        'The connection and its accounts are deleted immediately. A job revokes the aggregator’s access ' +
        'and retries until this succeeds.',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
    },
  },
);

import type { ServerResponse } from 'node:http';

/** A call of the Backend API, by its name in the audit. */
export type ProviderCall =
  | 'user.get'
  | 'ticket.create'
  | 'ticket.revoke'
  | 'session.get'
  | 'session.list'
  | 'session.revoke';

interface FakeResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Inputs of a faulty response. */
interface FaultContext {
  response: ServerResponse;
  /** The provider's real response, if the operation was performed. */
  realResponse: FakeResponse;
  /** A valid body for a call whose operation was not performed. */
  likelyBody: Record<string, unknown>;
}

interface FaultKind {
  /** Whether the provider performs the operation before it fails. */
  isWorkDone: boolean;
  send(faulty: FaultContext): void;
}

const JSON_TYPE = 'application/json';
/** The provider's error code for a ticket that is no longer pending. */
const KNOWN_CODE = 'sign_in_token_cannot_be_revoked_code';

const createErrorFault = (status: number, code: string | null, headers: Record<string, string> = {}): FaultKind => ({
  isWorkDone: false,
  send: ({ response }) =>
    sendAnswer(response, {
      status,
      headers: { 'content-type': JSON_TYPE, ...headers },
      body: JSON.stringify({ errors: code === null ? [] : [{ code, message: 'refused' }], clerk_trace_id: 'trace_1' }),
    }),
});

const createPageFault = (status: number): FaultKind => ({
  isWorkDone: false,
  send: ({ response }) =>
    sendAnswer(response, { status, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Away</h1>' }),
});

/** A 200 without the operation, with a body that is valid except for this change. */
const createBodyFault = (change: (likely: Record<string, unknown>) => unknown): FaultKind => ({
  isWorkDone: false,
  send: ({ response, likelyBody: likely }) =>
    sendAnswer(response, {
      status: 200,
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(change(likely)),
    }),
});

const afterWork = (send: FaultKind['send']): FaultKind => ({ isWorkDone: true, send });

/** Failures of a call of the identity provider. */
export const faults = {
  'right body': afterWork(({ response, realResponse }) => sendAnswer(response, realResponse)),
  'right body with a charset': afterWork(({ response, realResponse }) =>
    sendAnswer(response, {
      ...realResponse,
      headers: { ...realResponse.headers, 'content-type': `${JSON_TYPE}; charset=utf-8` },
    }),
  ),
  'body of another id': createBodyFault((likely) => ({ ...likely, id: `${String(likely['id'])}x` })),
  'body of another id, work done': afterWork(({ response, realResponse }) =>
    sendAnswer(response, {
      ...realResponse,
      body: JSON.stringify({ ...(JSON.parse(realResponse.body) as object), id: 'other_1' }),
    }),
  ),
  'body of another user': createBodyFault((likely) =>
    likely['object'] === 'user' ? { ...likely, id: 'user_other' } : { ...likely, user_id: 'user_other' },
  ),
  'body without its fields': createBodyFault(({ object, id }) => ({ object, id })),
  'body of another status': createBodyFault((likely) =>
    likely['object'] === 'user' ? { ...likely, object: 'session' } : { ...likely, status: 'no_such_status' },
  ),
  'empty body': createBodyFault(() => null),
  'page with 200': createPageFault(200),
  '400 known code': createErrorFault(400, KNOWN_CODE),
  '400 unknown code': createErrorFault(400, 'some_other_code'),
  '400 without a code': createErrorFault(400, null),
  '401': createErrorFault(401, 'clerk_key_invalid'),
  '403': createErrorFault(403, 'not_allowed'),
  '403 page': createPageFault(403),
  '404 resource_not_found': createErrorFault(404, 'resource_not_found'),
  '404 another code': createErrorFault(404, 'some_other_code'),
  '404 without a code': createErrorFault(404, null),
  '404 page': createPageFault(404),
  '409': createErrorFault(409, KNOWN_CODE),
  '422': createErrorFault(422, KNOWN_CODE),
  '429': createErrorFault(429, 'too_many_requests', { 'retry-after': '7' }),
  '500': createErrorFault(500, 'internal_clerk_error'),
  '502 page': createPageFault(502),
  '503': createErrorFault(503, 'service_unavailable'),
  'cut body': afterWork(({ response, realResponse }) =>
    sendAnswer(response, { ...realResponse, body: realResponse.body.slice(0, -9) }),
  ),
  'reset in the body': afterWork(({ response, realResponse }) => {
    response.writeHead(realResponse.status, {
      ...realResponse.headers,
      'content-length': String(Buffer.byteLength(realResponse.body)),
    });
    response.write(realResponse.body.slice(0, -9), () => response.destroy());
  }),
  'reset before the work': {
    isWorkDone: false,
    send: ({ response }) => {
      response.destroy();
    },
  },
  'reset after the work': afterWork(({ response }) => {
    response.destroy();
  }),
  /** The request ends only when the caller times out. */
  'no answer': { isWorkDone: false, send: () => {} },
  /** The response is sent after the caller has timed out. */
  'late success': afterWork(({ response, realResponse }) => {
    response.once('close', () => sendAnswer(response, realResponse));
  }),
} as const satisfies Record<string, FaultKind>;

export type Fault = keyof typeof faults;

export function sendAnswer(response: ServerResponse, { status, headers, body: text }: FakeResponse): void {
  response.writeHead(status, headers).end(text);
}

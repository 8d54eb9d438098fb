import type { ServerResponse } from 'node:http';

/** A call of the Backend API, by the name that the audit has for it. */
export type ProviderCall =
  | 'user.get'
  | 'ticket.create'
  | 'ticket.revoke'
  | 'session.get'
  | 'session.list'
  | 'session.revoke';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a faulty answer is made of. */
interface Faulty {
  response: ServerResponse;
  /** The provider's real answer; only where the work was done. */
  real: Answer;
  /** A right body that the provider could have sent, for a call whose work was not done. */
  likely: Record<string, unknown>;
}

interface FaultKind {
  /** Whether the provider does what it is asked before it fails to say so. */
  isWorkDone: boolean;
  send(faulty: Faulty): void;
}

const JSON_TYPE = 'application/json';
/** What the provider says of a ticket that is no longer pending. */
const KNOWN_CODE = 'sign_in_token_cannot_be_revoked_code';

const refusal = (status: number, code: string | null, headers: Record<string, string> = {}): FaultKind => ({
  isWorkDone: false,
  send: ({ response }) =>
    sendAnswer(response, {
      ...{ status, headers: { 'content-type': JSON_TYPE, ...headers } },
      body: JSON.stringify({ errors: code === null ? [] : [{ code, message: 'refused' }], clerk_trace_id: 'trace_1' }),
    }),
});

const page = (status: number): FaultKind => ({
  isWorkDone: false,
  send: ({ response }) =>
    sendAnswer(response, { status, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Away</h1>' }),
});

/** A 200 that nobody worked for, with a body that is right but for this. */
const body = (change: (likely: Record<string, unknown>) => unknown): FaultKind => ({
  isWorkDone: false,
  send: ({ response, likely }) =>
    sendAnswer(response, {
      ...{ status: 200, headers: { 'content-type': JSON_TYPE } },
      body: JSON.stringify(change(likely)),
    }),
});

const done = (send: FaultKind['send']): FaultKind => ({ isWorkDone: true, send });

/** Ways in which a call of the identity provider can end. */
export const faults = {
  'right body': done(({ response, real }) => sendAnswer(response, real)),
  'right body with a charset': done(({ response, real }) =>
    sendAnswer(response, { ...real, headers: { ...real.headers, 'content-type': `${JSON_TYPE}; charset=utf-8` } }),
  ),
  'body of another id': body((likely) => ({ ...likely, id: `${String(likely['id'])}x` })),
  'body of another id, work done': done(({ response, real }) =>
    sendAnswer(response, { ...real, body: JSON.stringify({ ...(JSON.parse(real.body) as object), id: 'other_1' }) }),
  ),
  'body of another user': body((likely) =>
    likely['object'] === 'user' ? { ...likely, id: 'user_other' } : { ...likely, user_id: 'user_other' },
  ),
  'body without its fields': body(({ object, id }) => ({ object, id })),
  'body of another status': body((likely) =>
    likely['object'] === 'user' ? { ...likely, object: 'session' } : { ...likely, status: 'no_such_status' },
  ),
  'empty body': body(() => null),
  'page with 200': page(200),
  '400 known code': refusal(400, KNOWN_CODE),
  '400 unknown code': refusal(400, 'some_other_code'),
  '400 without a code': refusal(400, null),
  '401': refusal(401, 'clerk_key_invalid'),
  '403': refusal(403, 'not_allowed'),
  '403 page': page(403),
  '404 resource_not_found': refusal(404, 'resource_not_found'),
  '404 another code': refusal(404, 'some_other_code'),
  '404 without a code': refusal(404, null),
  '404 page': page(404),
  '409': refusal(409, KNOWN_CODE),
  '422': refusal(422, KNOWN_CODE),
  '429': refusal(429, 'too_many_requests', { 'retry-after': '7' }),
  '500': refusal(500, 'internal_clerk_error'),
  '502 page': page(502),
  '503': refusal(503, 'service_unavailable'),
  'cut body': done(({ response, real }) => sendAnswer(response, { ...real, body: real.body.slice(0, -9) })),
  'reset in the body': done(({ response, real }) => {
    response.writeHead(real.status, { ...real.headers, 'content-length': String(Buffer.byteLength(real.body)) });
    response.write(real.body.slice(0, -9), () => response.destroy());
  }),
  'reset before the work': { isWorkDone: false, send: ({ response }) => void response.destroy() },
  'reset after the work': done(({ response }) => void response.destroy()),
  /** The caller gives up: nothing else ends the request. */
  'no answer': { isWorkDone: false, send: () => {} },
  /** The answer is sent once the caller has given up. */
  'late success': done(({ response, real }) => void response.once('close', () => sendAnswer(response, real))),
} as const satisfies Record<string, FaultKind>;

export type Fault = keyof typeof faults;

export function sendAnswer(response: ServerResponse, { status, headers, body: text }: Answer): void {
  response.writeHead(status, headers).end(text);
}

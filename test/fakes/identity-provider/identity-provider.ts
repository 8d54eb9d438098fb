import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceSql } from '../../../src/platform/database/roles.ts';
import { createEmbeddedProvider } from '../../../src/embedded/identity/provider.ts';
import { inProcessFetch } from '../../../src/embedded/shared/in-process-fetch.ts';
import { type Fault, faults, type ProviderCall, sendAnswer } from './faults.ts';

const CALLS: readonly [ProviderCall, method: string, path: RegExp][] = [
  ['user.get', 'GET', /^\/_idp\/v1\/users\/([^/]+)$/],
  ['ticket.create', 'POST', /^\/_idp\/v1\/sign_in_tokens$/],
  ['ticket.revoke', 'POST', /^\/_idp\/v1\/sign_in_tokens\/([^/]+)\/revoke$/],
  ['session.get', 'GET', /^\/_idp\/v1\/sessions\/([^/]+)$/],
  ['session.list', 'GET', /^\/_idp\/v1\/sessions$/],
  ['session.revoke', 'POST', /^\/_idp\/v1\/sessions\/([^/]+)\/revoke$/],
];

/** A call of the Backend API. `id` is empty if the call has none. */
interface ReceivedCall {
  call: ProviderCall;
  id: string;
}

export interface FakeIdentityProvider {
  /** Origin of the provider and of the service, so that its tokens are valid for pages of the service. */
  url: string;
  /** `IDP_API_URL` and `IDP_FRONTEND_API_URL`. */
  apiUrl: string;
  secretKey: string;
  /** The account whose writes the provider rejects. */
  accounts: { demoAccountId: string | undefined; sampleUserId: undefined };
  /** Calls of the Backend API, in order. */
  readonly called: readonly ReceivedCall[];
  /** Makes each further call of this kind fail in this way, or only calls with this `id`. */
  failWith(call: ProviderCall, fault: Fault, id?: string): void;
  /** Removes the faults of an id, or all faults. */
  clearFaults(id?: string): void;
  /** Registers a callback that runs before the operation of each call and, with `isWorkDone`, before its response. */
  watch(watcher: (called: ReceivedCall, isWorkDone: boolean) => Promise<void> | void): void;
  close(): Promise<void>;
}

/**
 * Starts a local hosted identity provider. It serves the two APIs of the embedded provider over HTTP, with their state
 * in the database, and injects faults.
 */
export async function startIdentityProvider(sql: ServiceSql): Promise<FakeIdentityProvider> {
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secretKey = `sk_test_${randomBytes(16).toString('hex')}`;
  const accounts: FakeIdentityProvider['accounts'] = { demoAccountId: undefined, sampleUserId: undefined };
  const limits = { signInPerPerson: 1e6, signInPerAddress: 1e6, signUpPerAddress: 1e6, failuresPerHour: 1e6 };
  const provider = createEmbeddedProvider({ sql, baseUrl: url, secretKey, accounts, limits });
  const send = inProcessFetch(provider.addRoutes, undefined);
  const called: ReceivedCall[] = [];
  const faultByCall = new Map<string, Fault>();
  let watcher: Parameters<FakeIdentityProvider['watch']>[0] = () => {};

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = { method: incoming.method!, path: incoming.url!, headers: incoming.headers as HeadersInit };
    const text = await readText(incoming);
    const runEmbedded = async () => {
      const { method, path, headers } = request;
      const answer = await send(`${url}${path}`, { method, headers, ...(text !== '' && { body: text }) });
      return { status: answer.status, headers: getHeaders(answer), body: await answer.text() };
    };
    const receivedCall = matchCall(request);
    if (!receivedCall) return sendAnswer(response, await runEmbedded());
    called.push(receivedCall);
    await watcher(receivedCall, false);
    const fault =
      faults[
        faultByCall.get(`${receivedCall.call} ${receivedCall.id}`) ?? faultByCall.get(receivedCall.call) ?? 'right body'
      ];
    const realResponse = fault.isWorkDone ? await runEmbedded() : { status: 0, headers: {}, body: '' };
    await watcher(receivedCall, true);
    fault.send({
      response,
      realResponse,
      likelyBody: createLikelyBody(receivedCall, accounts.demoAccountId ?? 'user_none'),
    });
  }

  return {
    url,
    apiUrl: `${url}/_idp`,
    secretKey,
    accounts,
    called,
    failWith: (call, fault, id) => {
      faultByCall.set(id === undefined ? call : `${call} ${id}`, fault);
    },
    clearFaults(id) {
      for (const key of faultByCall.keys()) if (id === undefined || key.endsWith(` ${id}`)) faultByCall.delete(key);
    },
    watch: (next) => {
      watcher = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function matchCall({ method, path }: { method: string; path: string }): ReceivedCall | undefined {
  const { pathname } = new URL(path, 'http://fake');
  for (const [call, wanted, pattern] of CALLS) {
    const match = method === wanted && pattern.exec(pathname);
    if (match) return { call, id: decodeURIComponent(match[1] ?? '') };
  }
  return undefined;
}

/** Creates a plausible body for the call. */
function createLikelyBody({ call, id }: ReceivedCall, userId: string): Record<string, unknown> {
  const times = { created_at: Date.now(), updated_at: Date.now() };
  switch (call) {
    case 'user.get':
      return { object: 'user', id, email_addresses: [], ...times };
    case 'ticket.create':
      return {
        object: 'sign_in_token',
        id: 'sit_madeup',
        user_id: userId,
        status: 'pending',
        token: 'made.up',
        ...times,
      };
    case 'ticket.revoke':
      return { object: 'sign_in_token', id, user_id: userId, status: 'revoked', ...times };
    case 'session.get':
    case 'session.revoke': {
      const status = call === 'session.get' ? 'active' : 'revoked';
      const sessionFields = { client_id: 'client_1', last_active_at: Date.now(), expire_at: Date.now() + 86_400_000 };
      return { object: 'session', id, user_id: userId, status, ...sessionFields, ...times };
    }
    case 'session.list':
      return { data: [], total_count: 0 };
  }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Returns the headers as a record. A record cannot hold several cookies, but the provider sends at most one. */
function getHeaders(answer: Response): Record<string, string> {
  const { 'content-length': _length, ...headers } = Object.fromEntries(answer.headers);
  return headers;
}

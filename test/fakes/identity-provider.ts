import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import { createEmbeddedProvider } from '../../src/embedded/identity/provider.ts';
import { inProcessFetch } from '../../src/embedded/shared/in-process-fetch.ts';

export interface FakeIdentityProvider {
  /** Origin of the provider and of the service, so that its tokens are valid for pages of the service. */
  url: string;
  /** `IDP_API_URL` and `IDP_FRONTEND_API_URL`. */
  apiUrl: string;
  secretKey: string;
  /** Whether each read of a user is answered with 503. */
  isUserUnavailable: boolean;
  close(): Promise<void>;
}

/**
 * Starts a local hosted identity provider. It serves the two APIs of the embedded provider over HTTP, with their state
 * in the database.
 */
export async function startIdentityProvider(sql: ServiceSql): Promise<FakeIdentityProvider> {
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secretKey = `sk_test_${randomBytes(16).toString('hex')}`;
  const accounts = { demoAccountId: undefined, sampleUserId: undefined };
  const limits = { signInPerPerson: 1e6, signInPerAddress: 1e6, signUpPerAddress: 1e6, failuresPerHour: 1e6 };
  const provider = createEmbeddedProvider({ sql, baseUrl: url, secretKey, accounts, limits });
  const send = inProcessFetch(provider.addRoutes, undefined);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '', headers } = incoming;
    const body = (await buffer(incoming)).toString();
    if (fake.isUserUnavailable && method === 'GET' && /^\/_idp\/v1\/users\/[^/]+$/.test(path)) {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"errors":[]}');
      return;
    }
    const answer = await send(`${url}${path}`, {
      method: method!,
      headers: headers as HeadersInit,
      ...(body !== '' && { body }),
    });
    // A record cannot hold several cookies, but the provider sends at most one.
    const { 'content-length': _length, ...answerHeaders } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, answerHeaders).end(await answer.text());
  }

  const fake: FakeIdentityProvider = {
    url,
    apiUrl: `${url}/_idp`,
    secretKey,
    isUserUnavailable: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

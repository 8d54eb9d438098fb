import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAssistant } from '../../src/features/assistant/assistant.ts';
import { AppError } from '../../src/errors.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createSharedRateLimits } from '../../src/platform/http/redis-rate-limiter.ts';
import { createGuards } from '../../src/platform/identity/guards.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestHttpApp } from './http-app.ts';
import { type ApiResponse, sendRequest } from './identity.ts';
import { createSources } from './sample-sources.ts';
import { seedSqlFixture } from './sql-fixture.ts';

/** Revisions of the protocol: the stateless one, and one that starts with `initialize`. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'] as const;

export interface McpApp {
  url: string;
  db: TestDatabase;
  /** Sends a request of a signed-in member. */
  call(method: string, path: string, member?: string, body?: object): Promise<ApiResponse>;
  /** Creates a token of a member. */
  makeToken(member: string, options?: { scopes?: string[] }): Promise<string>;
  /** Sends a bare POST to the server. */
  post(token: string | undefined, message: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Starts the assistant's routes over HTTP with the members of the SQL fixture and facts of a known member. A header
 * replaces the sign-in. Pages of `baseUrl` may call it.
 */
export async function startMcpApp({ baseUrl = 'http://127.0.0.1:3000' } = {}): Promise<McpApp> {
  const db = await createTestDatabase();
  await seedSqlFixture(db, 20);
  await db.owner(`insert into public.all_users (idp_id) values ('user_demo'), ('user_sample')`);
  const app = await createTestHttpApp();
  const { database: _, ...dataSources } = createSources();
  const assistant = createAssistant({
    database: db.database,
    dataSources,
    baseUrl,
    logger: createLogger('silent'),
    count: () => 0,
    model: { apiKey: undefined, baseUrl: '', model: '' },
    limits: { answers: 1, tokens: 1, installationTokens: 1 },
    createLimiter: createSharedRateLimits(undefined).createLimiter,
    guards: createGuards(async (request) => {
      const idpId = request.headers['x-member'];
      if (typeof idpId !== 'string') throw new AppError('UNAUTHENTICATED');
      const memberFlags = { isDemoAccount: idpId === 'user_demo', isSampleUser: idpId === 'user_sample' };
      return { idpId, sessionId: 'sess_1', verifiedAt: Date.now() / 1000, ...memberFlags };
    }),
  });
  assistant.register(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const call: McpApp['call'] = (method, path, member, body) =>
    sendRequest(url + path, method, body, member === undefined ? {} : { 'x-member': member });
  const close = async (): Promise<void> => {
    await app.close();
    await db.drop();
  };
  return {
    url,
    db,
    call,
    close,
    makeToken: async (member, options) =>
      (await call('POST', '/api/assistant/tokens', member, { name: 'A test', ...options })).body.token as string,
    post: (token, message, headers = {}) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(message),
      }),
  };
}

/** Connects the official client in one revision of the protocol. The caller closes it. */
export async function connectClient(
  url: string,
  headers: Record<string, string>,
  protocolVersion: string,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: getVersionMode(protocolVersion) } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

const getVersionMode = (protocolVersion: string) =>
  protocolVersion === '2025-11-25' ? ('legacy' as const) : { pin: protocolVersion };

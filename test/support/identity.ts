import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Database } from '../../src/platform/database/connect.ts';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import {
  createEmbeddedProvider,
  type EmbeddedProvider,
  type EmbeddedProviderOptions,
} from '../../src/embedded/identity/provider.ts';
import { createHostedProvider } from '../../src/platform/identity/hosted-provider.ts';
import { createIdentity, type Identity, type IdentityOptions } from '../../src/platform/identity/identity.ts';
import type { ReservedAccounts } from '../../src/platform/identity/member.ts';
import { createProviderEvents, type ProviderEventDependencies } from '../../src/platform/identity/webhook-routes.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestHttpApp } from './http-app.ts';
import type { TestScope } from './test-scope.ts';
import { recordExample } from './record-example.ts';

/** The site's address in tokens and cookies. The server listens on a free port of this machine. */
export const SITE = 'http://tally.test';
/** The lowest cost that argon2id accepts. A test of passwords omits it. */
export const LOW_COST = { memory: 8, passes: 1 };
export const SECRET_KEY = 'sk_live_0123456789abcdef0123456789abcdef';
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a key of the tests, 32 bytes long').toString('base64')}`;

export interface IdentityApp extends TestDatabase {
  app: HttpApp;
  identity: Identity;
  /** Returns the embedded provider. Throws beside a hosted one. */
  getEmbedded(): EmbeddedProvider;
  /** The address where the service listens. */
  url: string;
}

/**
 * Settings of identity and its provider. The provider is the embedded one, unless `hosted` names the addresses of a
 * hosted one.
 */
export interface TestIdentityOptions extends Partial<Omit<IdentityOptions, 'provider'>> {
  hosted?: { apiUrl: string; frontendApiUrl: string; timeoutMs?: number } | undefined;
  secretKey?: string;
  webhookSecret?: string | undefined;
  accounts?: ReservedAccounts;
  logger?: Logger | undefined;
  embedded?: Pick<EmbeddedProviderOptions, 'sessionSeconds' | 'limits' | 'passwordCost' | 'mailer' | 'signUpMode'>;
}

/** Creates identity like `app.ts`, with the provider of the options. */
export function createTestIdentity(database: Database, options: TestIdentityOptions = {}) {
  const { hosted, embedded: embeddedOptions, secretKey = SECRET_KEY, logger, ...rest } = options;
  const { accounts = { demoAccountId: undefined, sampleUserId: undefined }, baseUrl = SITE } = options;
  const webhookSecret = 'webhookSecret' in options ? options.webhookSecret : WEBHOOK_SECRET;
  const shared = { secretKey, webhookSecret, accounts, logger };
  const { service: sql } = database;
  const embedded = hosted
    ? undefined
    : createEmbeddedProvider({ sql, baseUrl, createLimiter: options.createLimiter, ...shared, ...embeddedOptions });
  const provider = embedded ?? createHostedProvider({ ...hosted!, ...shared });
  const identity = createIdentity({ publishableKey: undefined, baseUrl, ...rest, database, provider });
  return { identity, embedded, webhookSecret };
}

/** Starts identity over HTTP on a new database. `addRoutes` adds further routes. Closes with the test. */
export async function startIdentityApp(
  t: TestScope,
  {
    hooks = {},
    owners = [],
    trustedProxies = [],
    ...options
  }: TestIdentityOptions & Pick<ProviderEventDependencies, 'hooks' | 'owners'> & { trustedProxies?: string[] } = {},
  addRoutes?: (app: HttpApp, identity: Identity) => void | Promise<void>,
): Promise<IdentityApp> {
  const db = await createTestDatabase();
  const app = await createTestHttpApp({
    bodyLimit: 1_048_576,
    trustedProxies,
    ...(options.logger && { logger: options.logger }),
  });
  const { identity, embedded, webhookSecret } = createTestIdentity(db.database, {
    embedded: {
      limits: { signInPerPerson: 1_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 },
      passwordCost: LOW_COST,
    },
    ...options,
  });
  await identity.register(app);
  await createProviderEvents({ sql: db.database.service, secret: webhookSecret, hooks, owners }).register!(app);
  await addRoutes?.(app, identity);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.onTestFinished(async () => {
    await app.close();
    await db.drop();
  });
  return {
    ...db,
    app,
    identity,
    getEmbedded() {
      assert.ok(embedded, 'This test runs beside a hosted provider.');
      return embedded;
    },
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
  };
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
}

/** Sends JSON, or a form as URLSearchParams, and returns the response with any status. */
export async function sendRequest(
  url: string,
  method: string,
  body?: object | URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const json = body !== undefined && typeof body !== 'string' && !(body instanceof URLSearchParams);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  const parsed: unknown =
    text !== '' && response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  if (process.env['RECORD_EXAMPLES'] && response.ok) recordExample(new URL(url), method, body, parsed);
  return { status: response.status, headers: response.headers, body: parsed };
}

/** Returns a Cookie header with this `name=value` in place of the cookie's former value. */
function replaceCookie(header: string, pair: string): string {
  const prefix = pair.slice(0, pair.indexOf('=') + 1);
  return [...header.split('; ').filter((other) => other !== '' && !other.startsWith(prefix)), pair].join('; ');
}

/** Session tokens are valid for a minute. */
const RENEW_AFTER_MS = 20_000;

/** A browser on the site, which stores its cookies and sends the site's origin. */
export class TestBrowser {
  cookie = '';
  /** The last token of each session. */
  readonly #tokens = new Map<string, { token: string; renewAt: number }>();
  readonly url: string;
  readonly site: string;

  constructor(url: string, site = SITE) {
    this.url = url;
    this.site = site;
  }

  async call(
    method: string,
    path: string,
    form?: Record<string, string> | object,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const body = form && method !== 'GET' ? new URLSearchParams(form as Record<string, string>) : undefined;
    const answer = await sendRequest(`${this.url}/_idp/v1${path}`, method, body, {
      origin: this.site,
      ...(this.cookie && { cookie: this.cookie }),
      ...headers,
    });
    for (const line of answer.headers.getSetCookie()) this.cookie = replaceCookie(this.cookie, line.split(';')[0]!);
    return answer;
  }

  /** Creates a member and signs them in. */
  async signUp(
    email = createEmail(),
    password = 'correct horse battery',
  ): Promise<{ userId: string; sessionId: string; email: string; password: string }> {
    const { status, body } = await this.call('POST', '/client/sign_ups', { email_address: email, password });
    if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`);
    return { userId: body.response.created_user_id, sessionId: body.response.created_session_id, email, password };
  }

  /** Returns a new session token. */
  async token(sessionId: string): Promise<string> {
    const { status, body } = await this.call('POST', `/client/sessions/${sessionId}/tokens`, {});
    if (status !== 200) throw new Error(`the token endpoint answered ${status}: ${JSON.stringify(body)}`);
    this.#tokens.set(sessionId, { token: body.jwt, renewAt: performance.now() + RENEW_AFTER_MS });
    return body.jwt;
  }

  /**
   * Returns the session's last token, which is renewed after 20 s. If that fails, the last one is returned for another
   * 20 s.
   */
  async recentToken(sessionId: string): Promise<string> {
    const last = this.#tokens.get(sessionId);
    if (!last) return await this.token(sessionId);
    if (performance.now() < last.renewAt) return last.token;
    last.renewAt += RENEW_AFTER_MS;
    return await this.token(sessionId).catch(() => last.token);
  }
}

export const createEmail = (): string => `member-${randomBytes(6).toString('hex')}@example.com`;

/** Calls the Backend API with the deployment's key. */
export function callBackend(
  url: string,
  method: string,
  path: string,
  body?: object,
  key = SECRET_KEY,
): Promise<ApiResponse> {
  return sendRequest(`${url}/_idp/v1${path}`, method, body, { authorization: `Bearer ${key}` });
}

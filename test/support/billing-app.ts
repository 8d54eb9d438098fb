import type { z } from 'zod';
import { createAnalytics } from '../../src/platform/analytics/analytics.ts';
import { type Billing, createBilling } from '../../src/features/billing/billing.ts';
import type { routes } from '../../src/features/billing/contract.ts';
import { createEmbeddedPayments, type EmbeddedPayments } from '../../src/embedded/payments/embedded-payments.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { assertDocumented } from './documented-responses.ts';
import { type ApiResponse, type IdentityApp, sendRequest, SITE, startIdentityApp, TestBrowser } from './identity.ts';
import type { TestScope } from './test-scope.ts';

export interface BillingApp extends IdentityApp {
  billing: Billing;
  /** The embedded payment provider. */
  payments: EmbeddedPayments;
  events: { idpId: string; event: string; properties: Record<string, unknown> }[];
  /** Runs the waiting jobs until none is left. */
  runJobs(): Promise<void>;
  /** Delivers events and runs jobs in the background until the test ends. */
  startBackground(): Promise<void>;
  signUp(): Promise<Member>;
}

type BillingBody = z.output<(typeof routes)['getBilling']['responses'][200]>;

export interface Member {
  idpId: string;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
  readBilling(): Promise<BillingBody>;
  /** Starts a checkout and returns the address of its payment page. */
  startCheckout(tier: string, entry?: string): Promise<{ id: string; url: string }>;
}

type Fetch = typeof globalThis.fetch;

/** Starts billing over HTTP on the embedded payment provider. `between` may drop its requests and responses. */
export async function startBillingApp(
  t: TestScope,
  { wrapFetch = (fetch) => fetch }: { wrapFetch?: (fetch: Fetch) => Fetch } = {},
): Promise<BillingApp> {
  const logger = createLogger('silent');
  const events: BillingApp['events'] = [];
  const cleanups: (() => Promise<void>)[] = [];
  // Clean-up runs in reverse order: background work ends before the database is dropped.
  t.onTestFinished(async () => {
    for (const end of cleanups) await end();
  });
  let billing!: Billing;
  let payments!: EmbeddedPayments;
  const owners: Pick<Billing, 'onUserDeleted'>[] = [];
  const app = await startIdentityApp(
    {
      onTestFinished: (end) => {
        cleanups.push(end as () => Promise<void>);
      },
    },
    { owners },
    async (http, identity) => {
      const { database } = identity.options;
      const sql = database.service;
      payments = createEmbeddedPayments({ sql, logger, baseUrl: SITE });
      const { endpoint, ...client } = payments.client;
      const analytics = createAnalytics({ sql, logger });
      billing = createBilling({
        database,
        logger,
        guards: identity.guards,
        selling: {
          baseUrl: SITE,
          async captureInTransaction(tx, idpId, facts, visitor) {
            await analytics.captureInTransaction(tx, idpId, facts, visitor);
            events.push(...facts.map(({ event, properties }) => ({ idpId, event, properties })));
          },
          provider: { ...client, endpoint: { url: endpoint.url, fetch: wrapFetch(endpoint.fetch) } },
        },
      });
      owners.push(billing);
      await billing.register(http);
      await payments.register!(http);
    },
  );
  const jobs = createJobs(app.database);
  return {
    ...app,
    billing,
    payments,
    events,
    async runJobs() {
      const worker = await jobs.startWorker(billing.tasks!);
      while ((await app.owner('select 1 from graphile_worker._private_jobs limit 1')).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await worker.stop();
    },
    async startBackground() {
      const worker = await jobs.startWorker(billing.tasks!);
      const stop = payments.startBackground!(app.url) as () => Promise<void>;
      cleanups.unshift(stop, () => worker.stop());
    },
    async signUp() {
      const browser = new TestBrowser(app.url);
      const { userId, sessionId } = await browser.signUp();
      const authorization = `Bearer ${await browser.token(sessionId)}`;
      const call: Member['call'] = async (method, path, body, headers = {}) => {
        const response = await sendRequest(`${app.url}${path}`, method, body, { authorization, ...headers });
        assertDocumented(method, path, response, headers);
        return response;
      };
      await call('GET', '/api/me');
      return {
        idpId: userId,
        call,
        readBilling: async () => (await call('GET', '/api/billing')).body as BillingBody,
        async startCheckout(tier, entry) {
          const { status, body } = await call('POST', '/api/billing/checkout', { tier, ...(entry && { entry }) });
          if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
          return { id: body.checkout_id, url: body.url };
        },
      };
    },
  };
}

/**
 * Submits the form of a page of the embedded payment provider as a browser would. Returns the address of the redirect,
 * or the text of the page.
 */
export async function submitPaymentForm(app: Pick<IdentityApp, 'url'>, page: string, form: Record<string, string>) {
  const { status, headers, body } = await sendRequest(
    `${app.url}${new URL(page).pathname}`,
    'POST',
    new URLSearchParams(form),
  );
  return { status, location: headers.get('location'), page: String(body) };
}

export const payCheckout = (app: Pick<IdentityApp, 'url'>, page: string, card = '4242') =>
  submitPaymentForm(app, page, { action: 'pay', card });

import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inProcessFetch } from '../shared/in-process-fetch.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import type { Sandbox, SandboxOptions } from '../shared/sandbox.ts';
import { findVisit, updateVisit } from '../shared/visit-queries.ts';
import { advancePage } from './advance-page.ts';
import { addBankApi } from './api-routes.ts';
import { type BankContext, SANDBOX_BANK_PATH } from './bank-context.ts';
import { showLink } from './pages.ts';
import { forgetOld, type LinkSession, OUTBOX, SESSIONS } from './sandbox-queries.ts';
import { createSigner } from './sign-webhook.ts';

/** Seconds between attempts: the aggregator's own, 30 s times four each time, for a day. */
const RETRY_SCHEDULE = [30, 120, 480, 1_920, 7_680, 30_720] as const;

/**
 * The bank aggregator that comes along: its wire, its hosted page and its webhooks, about banks that do not exist.
 * `secret` is what `PLAID-SECRET` must be.
 */
export function createSandboxBank({ sql, logger, secret, ...options }: SandboxOptions): Sandbox {
  const { now = () => new Date(), wait = sleep } = options;
  const signer = createSigner(sql);
  const delivery = deliverOutbox({
    ...{ sql, logger, now, table: OUTBOX, schedule: RETRY_SCHEDULE },
    sign: async ({ payload }) => ({
      'plaid-verification': await signer.sign(payload, Math.floor(Date.now() / 1000)),
    }),
  });
  const context: BankContext = {
    ...{ sql, secret, now, wait, signer, wake: delivery.wake },
    publicTokenOf: (linkToken) =>
      `public-sandbox-${createHmac('sha256', secret).update(linkToken).digest('hex').slice(0, 32)}`,
  };
  return {
    fetch: inProcessFetch(async (app) => addBankApi(app, context), undefined),
    async addRoutes(app) {
      await addBankApi(app, context);
      await addHostedPage(app, {
        path: `${SANDBOX_BANK_PATH}/link/:token`,
        name: { name: 'Sandbox Bank', kind: 'bank' },
        now,
        find: (token) => findVisit<LinkSession['data']>(sql, SESSIONS, token),
        open: (token, session) =>
          updateVisit(sql, SESSIONS, token, session, {
            state: 'open',
            data: { ...session.data, startedAt: now().toISOString() },
          }),
        advance: (token, session, form) => advancePage(context, token, session, form, randomUUID()),
        show: showLink,
        returnUrlOf: ({ data }) => data.returnUrl,
      });
    },
    startDelivery: delivery.start,
    tidy: () => forgetOld(sql),
  };
}

import { inProcessFetch } from '../shared/in-process-fetch.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import type { Sandbox, SandboxOptions } from '../shared/sandbox.ts';
import { findVisit, updateVisit } from '../shared/visit-queries.ts';
import { advancePortal } from './advance-portal.ts';
import { addBrokerageApi } from './api-routes.ts';
import { type BrokerageContext, SANDBOX_BROKERAGE_PATH } from './brokerage-context.ts';
import { returnUrlOf, showPortal } from './pages.ts';
import { forgetOld, OUTBOX, type Portal, PORTALS } from './sandbox-queries.ts';
import { signWebhook } from './sign-request.ts';

/** Seconds between attempts: the aggregator's own, three times from half an hour on. */
const RETRY_SCHEDULE = [1_800, 3_600, 7_200] as const;

/**
 * The brokerage aggregator that comes along: its wire, its portal and its webhooks, about brokerages that do not exist.
 * `secret` is its consumer key.
 */
export function createSandboxBrokerage({ sql, logger, secret, now = () => new Date() }: SandboxOptions): Sandbox {
  const delivery = deliverOutbox({
    ...{ sql, logger, now, table: OUTBOX, schedule: RETRY_SCHEDULE },
    sign: ({ payload }) => ({ signature: signWebhook(payload, secret) }),
  });
  const context: BrokerageContext = { sql, secret, now, wake: delivery.wake };
  return {
    fetch: inProcessFetch(async (app) => addBrokerageApi(app, context), undefined),
    async addRoutes(app) {
      await addBrokerageApi(app, context);
      await addHostedPage(app, {
        path: `${SANDBOX_BROKERAGE_PATH}/portal/:token`,
        name: { name: 'Sandbox Brokerage', kind: 'brokerage' },
        now,
        find: (token) => findVisit<Portal['data']>(sql, PORTALS, token),
        open: (token, portal) => updateVisit(sql, PORTALS, token, portal, { state: 'open', data: portal.data }),
        advance: (token, portal, form) => advancePortal(context, token, portal, form),
        ...{ show: showPortal, returnUrlOf },
      });
    },
    startDelivery: delivery.start,
    tidy: () => forgetOld(sql),
  };
}

import { inProcessFetch } from '../shared/in-process-fetch.ts';
import type { Feature } from '../../feature.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import { type EmbeddedClient, type EmbeddedOptions, deriveSecret } from '../shared/embedded-options.ts';
import { findHostedPageSession, updateHostedPageSession } from '../shared/hosted-page-queries.ts';
import { advancePortal } from './advance-portal.ts';
import { addBrokerageApi } from './api-routes.ts';
import { BROKERAGE_CLIENT_ID, BROKERAGE_PATH, type BrokerageContext } from './brokerage-context.ts';
import { getReturnUrl, showPortal } from './pages.ts';
import { purgeExpired, OUTBOX, type Portal, PORTALS } from './queries.ts';
import { signWebhook } from './sign-request.ts';

const CLEANUP = 'cleanup-embedded-brokerage';

/** Delays between delivery attempts in seconds. As at the aggregator, there are three and the first is half an hour. */
const RETRY_SCHEDULE = [1_800, 3_600, 7_200] as const;

export interface EmbeddedBrokerage extends Feature {
  readonly client: EmbeddedClient;
}

/** Creates the embedded brokerage aggregator: API, portal and webhooks for fictitious brokerages. */
export function createEmbeddedBrokerage(options: EmbeddedOptions): EmbeddedBrokerage {
  const { sql, logger, key, baseUrl, now = () => new Date() } = options;
  const secret = deriveSecret(key, 'brokerage');
  const delivery = deliverOutbox({
    sql,
    logger,
    now,
    table: OUTBOX,
    schedule: RETRY_SCHEDULE,
    sign: ({ payload }) => ({ signature: signWebhook(payload, secret) }),
  });
  const context: BrokerageContext = { sql, secret, now, wake: delivery.wake };
  return {
    name: 'embedded-brokerage',
    client: {
      clientId: BROKERAGE_CLIENT_ID,
      secret,
      baseUrl: `${new URL(baseUrl).origin}${BROKERAGE_PATH}`,
      fetch: inProcessFetch(async (app) => addBrokerageApi(app, context), undefined),
      isSandbox: true,
    },
    async register(app) {
      await addBrokerageApi(app, context);
      await addHostedPage(app, {
        path: `${BROKERAGE_PATH}/portal/:token`,
        name: { name: 'Sandbox Brokerage', kind: 'brokerage' },
        now,
        find: (token) => findHostedPageSession<Portal['data']>(sql, PORTALS, token),
        markOpened: (token, portal) =>
          updateHostedPageSession(sql, PORTALS, token, portal, { state: 'open', data: portal.data }),
        advance: (token, portal, form) => advancePortal(context, token, portal, form),
        render: showPortal,
        getReturnUrl,
      });
    },
    startBackground(localUrl) {
      const { stop } = delivery.start(localUrl);
      return stop;
    },
    tasks: { [CLEANUP]: () => purgeExpired(sql) },
    schedules: [{ task: CLEANUP, match: '23 * * * *' }],
  };
}

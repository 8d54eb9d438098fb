import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inProcessFetch } from '../shared/in-process-fetch.ts';
import type { Feature } from '../../feature.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import { type EmbeddedClient, type EmbeddedOptions, deriveSecret } from '../shared/embedded-options.ts';
import { findHostedPageSession, updateHostedPageSession } from '../shared/hosted-page-queries.ts';
import { advancePage } from './advance-page.ts';
import { addBankApi } from './api-routes.ts';
import { type BankContext, BANK_PATH } from './bank-context.ts';
import { showLink } from './pages.ts';
import { deletePages, purgeExpired, type LinkSession, OUTBOX, SESSIONS } from './queries.ts';
import { createSigner } from './sign-webhook.ts';

const CLEANUP = 'cleanup-embedded-bank';

/**
 * Delays between delivery attempts in seconds. As at the aggregator, they start at 30 s and grow by a factor of 4 for a
 * day.
 */
const RETRY_SCHEDULE = [30, 120, 480, 1_920, 7_680, 30_720] as const;

export interface EmbeddedBank extends Feature {
  readonly client: EmbeddedClient & { deletePages: (idpId: string) => Promise<void> };
}

interface EmbeddedBankOptions extends EmbeddedOptions {
  /** Returns the id under which the service requests the pages of a member. */
  toClientUserId: (idpId: string) => string;
}

/** Creates the embedded bank aggregator: API, hosted page and webhooks for fictitious banks. */
export function createEmbeddedBank({ sql, logger, key, baseUrl, ...options }: EmbeddedBankOptions): EmbeddedBank {
  const { now = () => new Date(), wait = sleep } = options;
  const secret = deriveSecret(key, 'bank');
  const signer = createSigner(sql);
  const delivery = deliverOutbox({
    sql,
    logger,
    now,
    table: OUTBOX,
    schedule: RETRY_SCHEDULE,
    sign: async ({ payload }) => ({
      'plaid-verification': await signer.sign(payload, Math.floor(Date.now() / 1000)),
    }),
  });
  const context: BankContext = {
    sql,
    secret,
    now,
    wait,
    signer,
    wake: delivery.wake,
    getPublicToken: (linkToken) =>
      `public-sandbox-${createHmac('sha256', secret).update(linkToken).digest('hex').slice(0, 32)}`,
  };
  return {
    name: 'embedded-bank',
    client: {
      clientId: 'sandbox',
      secret,
      baseUrl: `${new URL(baseUrl).origin}${BANK_PATH}`,
      fetch: inProcessFetch(async (app) => addBankApi(app, context), undefined),
      isSandbox: true,
      deletePages: (idpId) => deletePages(sql, options.toClientUserId(idpId)),
    },
    async register(app) {
      await addBankApi(app, context);
      await addHostedPage(app, {
        path: `${BANK_PATH}/link/:token`,
        name: { name: 'Sandbox Bank', kind: 'bank' },
        now,
        find: (token) => findHostedPageSession<LinkSession['data']>(sql, SESSIONS, token),
        markOpened: (token, session) =>
          updateHostedPageSession(sql, SESSIONS, token, session, {
            state: 'open',
            data: { ...session.data, startedAt: now().toISOString() },
          }),
        advance: (token, session, form) => advancePage(context, token, session, form, randomUUID()),
        render: showLink,
        getReturnUrl: ({ data }) => data.returnUrl,
      });
    },
    startBackground(localUrl) {
      const { stop } = delivery.start(localUrl);
      return stop;
    },
    // A page names the member's attempt in the address to which it returns.
    onUserDeleted: (transaction, idpId) => deletePages(transaction, options.toClientUserId(idpId)),
    tasks: { [CLEANUP]: () => purgeExpired(sql) },
    schedules: [{ task: CLEANUP, match: '23 * * * *' }],
  };
}

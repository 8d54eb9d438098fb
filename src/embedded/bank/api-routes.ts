import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isTimingSafeEqual } from '../../platform/http/timing-safe-equal.ts';
import { findHostedPageSession } from '../shared/hosted-page-queries.ts';
import { BANKS, createHoldings } from './bank-data.ts';
import { BankError, itemError } from './bank-error.ts';
import { type BankContext, BANK_PATH } from './bank-context.ts';
import {
  findItem,
  insertItem,
  insertSession,
  type Item,
  type LinkSession,
  SESSIONS,
  setItemState,
  spendPublicToken,
} from './queries.ts';
import { enqueueWebhook } from './send-webhook.ts';

/** Duration in ms of a token exchange at a slow bank. */
const SLOW_EXCHANGE_MS = 20_000;
/** Default lifetime of a hosted page in seconds (four hours). */
const PAGE_SECONDS = 14_400;

const accessBody = z.object({ access_token: z.string() });
const createLinkBody = z.object({
  webhook: z.string().nullish(),
  access_token: z.string().nullish(),
  products: z.array(z.string()).nullish(),
  update: z.object({ account_selection_enabled: z.boolean().nullish() }).nullish(),
  user: z.object({ client_user_id: z.string() }),
  hosted_link: z.object({ completion_redirect_uri: z.string(), url_lifetime_seconds: z.number().nullish() }),
});

/**
 * Adds the endpoints of the aggregator's API that the service uses: `POST` with JSON, credentials in headers, and a
 * `request_id` in each response.
 */
export async function addBankApi(app: HttpApp, context: BankContext): Promise<void> {
  const { sql, now } = context;
  const getItem = async (body: unknown): Promise<Item> => {
    const item = await findItem(sql, accessBody.parse(body).access_token);
    if (!item) throw new BankError('INVALID_INPUT', 'INVALID_ACCESS_TOKEN');
    return item;
  };
  const getWorkingItem = async (body: unknown): Promise<Item> => {
    const item = await getItem(body);
    if (item.state === 'login_required') throw itemError('ITEM_LOGIN_REQUIRED');
    return item;
  };
  const handlers: Record<string, (body: unknown) => Promise<object>> = {
    async '/link/token/create'(body) {
      const { webhook = null, access_token: repairToken, hosted_link: page, user, update } = createLinkBody.parse(body);
      const item = repairToken ? await getItem({ access_token: repairToken }) : undefined;
      const token = `link-sandbox-${randomUUID()}`;
      const expiresAt = new Date(now().getTime() + (page.url_lifetime_seconds ?? PAGE_SECONDS) * 1_000);
      await insertSession(sql, token, context.getPublicToken(token), {
        state: 'created',
        data: {
          returnUrl: page.completion_redirect_uri,
          webhook: item?.data.webhook ?? webhook,
          itemId: item?.id ?? null,
          clientUserId: user.client_user_id,
          ...(item && { bank: item.data.bank }),
          ...(item && update?.account_selection_enabled && { shared: item.data.accounts }),
        },
        expires_at: expiresAt,
      });
      // The visitor returns to the origin that their browser used.
      const hostedUrl = `${new URL(page.completion_redirect_uri).origin}${BANK_PATH}/link/${token}`;
      return { link_token: token, expiration: expiresAt.toISOString(), hosted_link_url: hostedUrl };
    },
    async '/link/token/get'(body) {
      const { link_token: token } = z.object({ link_token: z.string() }).parse(body);
      const session = await findHostedPageSession<LinkSession['data']>(sql, SESSIONS, token);
      if (!session) throw new BankError('INVALID_INPUT', 'INVALID_LINK_TOKEN');
      return {
        link_token: token,
        created_at: null,
        expiration: session.expires_at.toISOString(),
        metadata: {},
        link_sessions: session.state === 'created' ? [] : [toSessionResponse(token, session)],
      };
    },
    async '/item/public_token/exchange'(body) {
      const { public_token: token } = z.object({ public_token: z.string() }).parse(body);
      const session = await spendPublicToken(sql, token);
      if (!session) throw new BankError('INVALID_INPUT', 'INVALID_PUBLIC_TOKEN');
      const { clientUserId, user = '', bank = '', webhook, accounts = [] } = session.data;
      if (user === 'user_slow') await context.wait(SLOW_EXCHANGE_MS);
      const accessToken = `access-sandbox-${randomUUID()}`;
      const id = randomBytes(18).toString('base64url');
      await insertItem(sql, accessToken, { id, state: 'good', data: { clientUserId, user, bank, webhook, accounts } });
      if (user === 'user_expiring') {
        const event = { webhook_type: 'ITEM', webhook_code: 'PENDING_DISCONNECT', item_id: id };
        await enqueueWebhook(context, sql, webhook, event, 1);
        context.wake();
      }
      return { access_token: accessToken, item_id: id };
    },
    async '/accounts/get'(body) {
      const item = await getWorkingItem(body);
      return { accounts: item.data.accounts, item: toItemResponse(item) };
    },
    async '/investments/holdings/get'(body) {
      const item = await getWorkingItem(body);
      const { accounts } = item.data;
      if (!accounts.some(({ type }) => type === 'investment')) throw itemError('NO_INVESTMENT_ACCOUNTS');
      return { accounts, ...createHoldings(accounts, now().toISOString().slice(0, 10)), item: toItemResponse(item) };
    },
    async '/item/get'(body) {
      return { item: toItemResponse(await getItem(body)), status: null };
    },
    async '/item/remove'(body) {
      await setItemState(sql, (await getItem(body)).id, 'removed');
      return {};
    },
    async '/webhook_verification_key/get'(body) {
      const { key_id: kid } = z.object({ key_id: z.string() }).parse(body);
      const key = await context.signer.publicKey(kid);
      if (!key) throw new BankError('INVALID_INPUT', 'INVALID_WEBHOOK_VERIFICATION_KEY_ID');
      return { key: { ...key, created_at: 0, expired_at: null } };
    },
  };

  const toSessionResponse = (token: string, { state, data }: LinkSession) => ({
    link_session_id: token.slice(-36),
    started_at: data.startedAt,
    finished_at: data.finishedAt ?? null,
    exit: state === 'exited' ? { error: data.error ? itemError(data.error).toBody() : null, metadata: null } : null,
    results: {
      item_add_results:
        state === 'finished' && !data.itemId
          ? [{ public_token: context.getPublicToken(token), ...toItemAddResult(data) }]
          : [],
    },
  });

  await app.register(
    async (scope: HttpApp) => {
      scope.setErrorHandler((error, request, reply) => {
        const bankError = error instanceof z.ZodError ? new BankError('INVALID_REQUEST', 'MISSING_FIELDS') : error;
        if (!(bankError instanceof BankError)) throw error;
        return reply.code(400).send(bankError.toBody(request.id));
      });
      scope.addHook('onRequest', async (request) => {
        const { 'plaid-client-id': id = '', 'plaid-secret': secret = '' } = request.headers;
        if (!isTimingSafeEqual(`${String(id)} ${String(secret)}`, `sandbox ${context.secret}`))
          throw new BankError('INVALID_INPUT', 'INVALID_API_KEYS');
      });
      for (const [path, handle] of Object.entries(handlers))
        scope.post(path, async (request) => ({ ...(await handle(request.body)), request_id: request.id }));
    },
    { prefix: BANK_PATH },
  );
}

const toItemResponse = ({ id, state, data }: Item) => ({
  item_id: id,
  institution_id: data.bank,
  institution_name: BANKS[data.bank] ?? null,
  webhook: data.webhook,
  error: state === 'login_required' ? itemError('ITEM_LOGIN_REQUIRED').toBody() : null,
  available_products: [],
  billed_products: ['transactions'],
  products: ['transactions'],
  consent_expiration_time: null,
  update_type: 'background',
});

const toItemAddResult = ({ bank = '', accounts = [] }: LinkSession['data']) => ({
  accounts: accounts.map(({ account_id: id, name, mask, type, subtype }) => ({
    id,
    name,
    mask,
    type,
    subtype,
    verification_status: null,
    class_type: null,
  })),
  institution: { institution_id: bank, name: BANKS[bank] ?? 'Sandbox Bank' },
});

import { createHash } from 'node:crypto';
import type { CountryCode, LinkTokenCreateRequest, LinkTokenGetResponse, Products } from 'plaid';
import { jwtBodyHash } from '../../../platform/http/webhook-schemes/jwt-body-hash.ts';
import type { Aggregator, AttemptResult, ClientSettings, StartRequest } from '../aggregator.ts';
import { createPlaidClient, type PlaidClient } from './plaid-client.ts';
import { isGone, readPortfolio } from './read-portfolio.ts';
import { bankEvent } from './webhook-event.ts';

/** Seconds that the hosted page may be finished in. */
const PAGE_SECONDS = 1_800;
/** Banks are slow where they are asked for the first time. */
const EXCHANGE_TIMEOUT_MS = 30_000;

/** Banks, through Plaid: its hosted page alone, by redirects, so that none of its script runs here. */
export function createBankAggregator({ isSandbox = false, ...settings }: ClientSettings): Aggregator {
  const plaid = createPlaidClient(settings);
  return {
    kind: 'bank',
    provider: 'plaid',
    isSandbox,
    async start(request) {
      const created = await plaid.call('linkTokenCreate', linkRequest(request));
      if (!created.ok) return created;
      const { link_token: reference, hosted_link_url: url, expiration } = created.data;
      if (!url) return { ok: false, reason: 'refused', code: 'HOSTED_LINK_NOT_ENABLED' };
      return { ok: true, url, reference, expiresAt: new Date(expiration) };
    },
    async readAttempt({ reference, repair }) {
      const got = await plaid.call('linkTokenGet', { link_token: reference });
      if (!got.ok) return { state: got.reason === 'refused' ? 'abandoned' : 'unknown', code: got.code };
      return repair === undefined ? readSessions(got.data) : readRepair(plaid, got.data, repair);
    },
    async redeem(claim) {
      const exchanged = await plaid.call('itemPublicTokenExchange', { public_token: claim }, EXCHANGE_TIMEOUT_MS);
      if (!exchanged.ok) return exchanged;
      return { ok: true, externalId: exchanged.data.item_id, credential: exchanged.data.access_token };
    },
    readPortfolio: (credential) => readPortfolio(plaid, credential),
    async remove(credential) {
      const removed = await plaid.call('itemRemove', { access_token: credential });
      return removed.ok || isGone(removed) ? { ok: true } : removed;
    },
    webhook: {
      path: 'bank',
      sender: 'the bank aggregator',
      event: bankEvent,
      scheme: jwtBodyHash({
        header: 'plaid-verification',
        async keyOf(kid) {
          const found = await plaid.call('webhookVerificationKeyGet', { key_id: kid });
          if (found.ok) return { ...found.data.key };
          if (found.reason === 'refused') return undefined;
          throw new Error(`The key of a webhook could not be fetched: ${found.code}.`);
        },
      }),
    },
  };
}

function linkRequest({ idpId, returnUrl, webhookUrl, repair }: StartRequest): LinkTokenCreateRequest {
  return {
    client_name: 'Tally',
    language: 'en',
    country_codes: ['US' as CountryCode],
    // Tells the aggregator that two attempts are one person's, and not whose.
    user: { client_user_id: createHash('sha256').update(`tally bank ${idpId}`).digest('hex').slice(0, 32) },
    webhook: webhookUrl,
    hosted_link: { completion_redirect_uri: returnUrl, url_lifetime_seconds: PAGE_SECONDS },
    ...(repair === undefined
      ? { products: ['transactions' as Products], optional_products: ['investments' as Products] }
      : { access_token: repair, update: { account_selection_enabled: true } }),
  };
}

const sessionsOf = ({ link_sessions: sessions = [] }: LinkTokenGetResponse) => sessions;

function readSessions(answer: LinkTokenGetResponse): AttemptResult {
  const sessions = sessionsOf(answer);
  const [added] = sessions.flatMap(({ results }) => results?.item_add_results ?? []);
  if (added) {
    const { institution, accounts, public_token: claim } = added;
    return {
      state: 'offered',
      offer: {
        institution: { id: institution?.institution_id ?? null, name: institution?.name || 'Bank' },
        accounts: accounts.map(({ name, mask }) => ({ name: name ?? '', mask: mask ?? null })),
        claim,
        endsOlder: SINGLE_ACCESS.test(institution?.name ?? ''),
      },
    };
  }
  return leftBehind(answer);
}

/**
 * Institutions at which a sign-in may end the access of an earlier one, before anybody can tell that it is the same:
 * https://plaid.com/docs/link/duplicate-items. One of the embedded bank's does too.
 */
const SINGLE_ACCESS = /^(chase|pnc|navy federal|charles schwab|sandbox single-access)\b/i;

/** Without a result: left, expired, or not finished yet. */
function leftBehind(answer: LinkTokenGetResponse): AttemptResult {
  const last = sessionsOf(answer).at(-1);
  if (last?.finished_at) return { state: 'abandoned', code: last.exit?.error?.error_code || 'EXITED' };
  const { expiration } = answer;
  if (expiration !== null && Date.parse(expiration) < Date.now()) return { state: 'abandoned', code: 'EXPIRED' };
  return { state: 'open' };
}

/** A finished page is no sign of a repair: the institution's own answer is. */
async function readRepair(plaid: PlaidClient, answer: LinkTokenGetResponse, access: string): Promise<AttemptResult> {
  if (!sessionsOf(answer).some(({ finished_at: finished }) => finished)) return leftBehind(answer);
  const item = await plaid.call('itemGet', { access_token: access });
  if (!item.ok) return { state: item.reason === 'refused' ? 'failed' : 'unknown', code: item.code };
  return item.data.item.error ? leftBehind(answer) : { state: 'repaired' };
}

import { createHash } from 'node:crypto';
import type { CountryCode, LinkTokenCreateRequest, LinkTokenGetResponse, Products } from 'plaid';
import { createJwtBodyHashScheme } from '../../../platform/http/webhook-schemes/jwt-body-hash.ts';
import type { Aggregator, AttemptResult, ClientSettings, StartRequest } from '../aggregator.ts';
import { createPlaidClient, type PlaidClient } from './plaid-client.ts';
import { isAccessRevoked, readPortfolio } from './read-portfolio.ts';
import { bankEvent } from './webhook-event.ts';

/** Lifetime of the hosted page in seconds. */
const PAGE_SECONDS = 1_800;
/** The first request to a bank is slow. */
const EXCHANGE_TIMEOUT_MS = 30_000;

/**
 * Creates the aggregator of banks on Plaid. It uses only the hosted page with redirects, so none of Plaid's script runs
 * on our pages.
 */
export function createBankAggregator({ isSandbox = false, ...settings }: ClientSettings): Aggregator {
  const plaid = createPlaidClient(settings);
  return {
    kind: 'bank',
    provider: 'plaid',
    isSandbox,
    deletePages: settings.deletePages,
    async start(request) {
      const created = await plaid.call('linkTokenCreate', linkRequest(request));
      if (!created.ok) return created;
      const { link_token: reference, hosted_link_url: url, expiration } = created.data;
      if (!url) return { ok: false, reason: 'rejected', code: 'HOSTED_LINK_NOT_ENABLED' };
      return { ok: true, url, reference, expiresAt: new Date(expiration) };
    },
    async readAttempt({ reference, repairCredential }) {
      const link = await plaid.call('linkTokenGet', { link_token: reference });
      if (!link.ok) return { state: link.reason === 'rejected' ? 'abandoned' : 'unknown', code: link.code };
      return repairCredential === undefined
        ? toAttemptResult(link.data)
        : readRepair(plaid, link.data, repairCredential);
    },
    async exchangeToken(publicToken) {
      const exchanged = await plaid.call('itemPublicTokenExchange', { public_token: publicToken }, EXCHANGE_TIMEOUT_MS);
      if (!exchanged.ok) return exchanged;
      return { ok: true, externalId: exchanged.data.item_id, credential: exchanged.data.access_token };
    },
    readPortfolio: (credential) => readPortfolio(plaid, credential),
    async revoke(credential) {
      const removed = await plaid.call('itemRemove', { access_token: credential });
      return removed.ok || isAccessRevoked(removed) ? { ok: true } : removed;
    },
    webhook: {
      path: 'bank',
      sender: 'the bank aggregator',
      event: bankEvent,
      scheme: createJwtBodyHashScheme({
        header: 'plaid-verification',
        async findKey(kid) {
          const found = await plaid.call('webhookVerificationKeyGet', { key_id: kid });
          if (found.ok) return { ...found.data.key };
          if (found.reason === 'rejected') return undefined;
          throw new Error(`Failed to fetch the key of a webhook: ${found.code}.`);
        },
      }),
    },
  };
}

/** Returns the pseudonymous id by which the aggregator can link two attempts of one person. */
export const toClientUserId = (idpId: string): string =>
  createHash('sha256').update(`tally bank ${idpId}`).digest('hex').slice(0, 32);

function linkRequest({ idpId, returnUrl, webhookUrl, repairCredential }: StartRequest): LinkTokenCreateRequest {
  return {
    client_name: 'Tally',
    language: 'en',
    country_codes: ['US' as CountryCode],
    user: { client_user_id: toClientUserId(idpId) },
    webhook: webhookUrl,
    hosted_link: { completion_redirect_uri: returnUrl, url_lifetime_seconds: PAGE_SECONDS },
    ...(repairCredential === undefined
      ? { products: ['transactions' as Products], optional_products: ['investments' as Products] }
      : { access_token: repairCredential, update: { account_selection_enabled: true } }),
  };
}

const getSessions = ({ link_sessions: sessions = [] }: LinkTokenGetResponse) => sessions;

function toAttemptResult(response: LinkTokenGetResponse): AttemptResult {
  const sessions = getSessions(response);
  const [addedItem] = sessions.flatMap(({ results }) => results?.item_add_results ?? []);
  if (addedItem) {
    const { institution, accounts, public_token: publicToken } = addedItem;
    return {
      state: 'linked',
      linkedItem: {
        institution: { id: institution?.institution_id ?? null, name: institution?.name || 'Bank' },
        accounts: accounts.map(({ name, mask }) => ({ name: name ?? '', mask: mask ?? null })),
        publicToken,
        replacesExisting: SINGLE_ACCESS.test(institution?.name ?? ''),
      },
    };
  }
  return toUnfinishedResult(response);
}

/**
 * Institutions at which a sign-in may revoke earlier access before the duplicate can be detected:
 * https://plaid.com/docs/link/duplicate-items. One embedded bank also does.
 */
const SINGLE_ACCESS = /^(chase|pnc|navy federal|charles schwab|sandbox single-access)\b/i;

/** Maps a page without a result: left, expired or not finished. */
function toUnfinishedResult(response: LinkTokenGetResponse): AttemptResult {
  const lastSession = getSessions(response).at(-1);
  if (lastSession?.finished_at) return { state: 'abandoned', code: lastSession.exit?.error?.error_code || 'EXITED' };
  const { expiration } = response;
  if (expiration !== null && Date.parse(expiration) < Date.now()) return { state: 'abandoned', code: 'EXPIRED' };
  return { state: 'open' };
}

/** A finished page does not prove a repair. The institution's own response does. */
async function readRepair(
  plaid: PlaidClient,
  response: LinkTokenGetResponse,
  accessToken: string,
): Promise<AttemptResult> {
  if (!getSessions(response).some(({ finished_at: finished }) => finished)) return toUnfinishedResult(response);
  const item = await plaid.call('itemGet', { access_token: accessToken });
  if (!item.ok) return { state: item.reason === 'rejected' ? 'failed' : 'unknown', code: item.code };
  return item.data.item.error ? toUnfinishedResult(response) : { state: 'repaired' };
}

import { isSampleOffered, type ReservedAccounts } from '../../platform/identity/member.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';

export interface SamplePortfolioDependencies {
  accounts: ReservedAccounts;
  provider: Pick<ProviderClient, 'createSignInToken'>;
}

/** Lifetime of a ticket in seconds. The browser redeems it at once. */
const TICKET_LIFETIME_SECONDS = 60;
const DEFAULT_RETRY_SECONDS = 5;

type OpenedSample =
  | { ok: true; ticket: string }
  | { ok: false; reason: 'no_sample_user' }
  | { ok: false; reason: 'unavailable'; retryAfter: number };

/** Creates a sign-in token of the sample user. The caller has no influence on whose token it is. */
export async function openSamplePortfolio({ accounts, provider }: SamplePortfolioDependencies): Promise<OpenedSample> {
  if (!isSampleOffered(accounts)) return { ok: false, reason: 'no_sample_user' };
  const created = await provider.createSignInToken(accounts.sampleUserId, TICKET_LIFETIME_SECONDS);
  if (created.ok) return { ok: true, ticket: created.value.token };
  if (created.reason === 'not_found') return { ok: false, reason: 'no_sample_user' };
  const retryAfter = (created.reason === 'unconfirmed' && created.retryAfter) || DEFAULT_RETRY_SECONDS;
  return { ok: false, reason: 'unavailable', retryAfter };
}

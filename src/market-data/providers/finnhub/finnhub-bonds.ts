import {
  type ProviderResult,
  type CallPriority,
  type Listing,
  EMPTY_DAY_FIGURES,
  type Quote,
} from '../../domain/market-data-provider.ts';
import type { HttpClient } from '../http/provider-http-client.ts';
import * as schemas from './finnhub-schemas.ts';

const TWO_WEEKS_SECONDS = 14 * 86_400;

/**
 * Looks up a bond by ISIN. Finnhub's profile has no name and no currency, so only US issues in dollars are supported.
 */
export async function lookUpBond(
  call: HttpClient,
  { symbol, isin }: { symbol: string; isin: string },
  signal: AbortSignal,
  priority: CallPriority,
): Promise<ProviderResult<Listing>> {
  const answer = await call('/bond/profile', { isin }, schemas.bondProfile, { priority, signal });
  if (!answer.ok) return answer;
  const { isin: returnedIsin, coupon, maturityDate: maturity, ...profile } = answer.value;
  if (returnedIsin !== isin || coupon === null || maturity === null || !isin.startsWith('US'))
    return { ok: false, reason: 'unknown' };
  const [year, month, day] = maturity.split('-');
  const issuer = profile.asset ?? profile.industrySubGroup ?? profile.industryGroup ?? profile.bondType ?? 'Bond';
  const name = `${issuer} ${coupon}% ${month}/${day}/${year}`;
  return { ok: true, value: { symbol, name, exchange: null, assetType: 'bond', currency: 'USD', logo: null } };
}

/** Returns the newest close of the last two weeks, in percent of par. */
export async function quoteBond(
  call: HttpClient,
  { symbol, isin, now }: { symbol: string; isin: string; now: Date },
  signal: AbortSignal,
  priority: CallPriority,
): Promise<ProviderResult<Quote>> {
  const to = Math.floor(now.getTime() / 1_000);
  const params = { isin, from: String(to - TWO_WEEKS_SECONDS), to: String(to) };
  const answer = await call('/bond/price', params, schemas.bondPrices, { priority, signal });
  // A plan without bonds must not count as one without quotes.
  if (!answer.ok) return answer.reason === 'not_entitled' ? { ok: false, reason: 'unknown' } : answer;
  const { c: closes, t: times } = answer.value;
  const price = closes.at(-1) ?? null;
  const time = times[closes.length - 1] ?? null;
  if (price === null || price <= 0 || time === null || time <= 0) return { ok: false, reason: 'unknown' };
  const asOf = new Date(time * 1_000).toISOString();
  return { ok: true, value: { symbol, price, currency: 'USD', ...EMPTY_DAY_FIGURES, asOf, delayedMinutes: 0 } };
}

import { z } from 'zod';
import { item, watchlist } from './contract.ts';

/** The house's error body with one of these codes. */
const coded = <const Codes extends readonly [string, ...string[]]>(...codes: Codes) => z.object({ code: z.enum(codes), message: z.string() });

const demoMode = coded('DEMO_MODE', 'CROSS_ORIGIN');
/** The one body that the specification fixes to the letter. */
const limitReached = z.strictObject({ code: z.literal('WATCHLIST_LIMIT_REACHED'), limit: z.int().positive(), tier: watchlist.shape.tier });

export const tierUnavailable = { 503: coded('TIER_UNAVAILABLE') };

/** What each write of the watchlist may be refused with, for the OpenAPI document; `src/http/` writes the bodies. */
export const addRefusals = {
  403: z.union([limitReached, demoMode]),
  404: coded('UNKNOWN_SYMBOL', 'NOT_FOUND'),
  409: z.union([coded('ALREADY_WATCHED').extend({ item }), coded('CONFLICT')]),
  422: coded('UNSUPPORTED_ASSET'),
  503: coded('TIER_UNAVAILABLE', 'UNAVAILABLE'),
};
export const orderRefusals = { 403: demoMode, 404: coded('NOT_FOUND'), 409: coded('ORDER_CONFLICT').extend({ ids: z.array(z.uuid()) }) };
export const removeRefusals = { 403: demoMode, 404: coded('NOT_FOUND') };
export const importRefusals = { 403: demoMode, 404: coded('NOT_FOUND'), 413: coded('PAYLOAD_TOO_LARGE'), 503: coded('TIER_UNAVAILABLE', 'UNAVAILABLE') };

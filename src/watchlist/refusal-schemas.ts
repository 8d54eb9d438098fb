import { z } from 'zod';
import { bodyRefusals, coded, memberRefusals, queryRefusals } from '../http/failure-schemas.ts';
import { item, watchlist } from './contract.ts';

/** Of every route of the watchlist: outside the rollout none is there. */
const refusals = { ...memberRefusals, 404: coded('NOT_FOUND') };
/** Of every route whose answer says or obeys what is locked. */
const tierRefusals = { ...refusals, 503: coded('TIER_UNAVAILABLE', 'UNAVAILABLE') };
const demoMode = coded('DEMO_MODE', 'CROSS_ORIGIN');
/** The one body that is the code and these fields alone, without a message. */
const limitReached = z.strictObject({
  code: z.literal('WATCHLIST_LIMIT_REACHED'),
  limit: z.int().positive(),
  tier: watchlist.shape.tier,
});

/** What each route of the watchlist may be refused with. */
export const listRefusals = { ...tierRefusals, ...queryRefusals };
export const detailRefusals = tierRefusals;
export const earningsRefusals = tierRefusals;
export const exportRefusals = tierRefusals;
export const addRefusals = {
  ...tierRefusals,
  ...bodyRefusals,
  403: z.union([limitReached, demoMode]),
  404: coded('UNKNOWN_SYMBOL', 'NOT_FOUND'),
  409: z.union([coded('ALREADY_WATCHED').extend({ item }), coded('CONFLICT')]),
  422: coded('UNSUPPORTED_ASSET'),
};
export const orderRefusals = {
  ...tierRefusals,
  ...bodyRefusals,
  403: demoMode,
  409: coded('ORDER_CONFLICT').extend({ ids: z.array(z.uuid()) }),
};
export const removeRefusals = { ...refusals, ...bodyRefusals, 403: demoMode };
export const importRefusals = { ...tierRefusals, ...bodyRefusals, 403: demoMode };

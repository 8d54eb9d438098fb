import { z } from 'zod';
import { bodyRefusals, coded, memberRefusals, queryRefusals } from '../http/failure-schemas.ts';

/** What each route of the slice may be refused with; reading one's own things has nothing to be refused for. */
export const readRefusals = memberRefusals;
export const queriedRefusals = { ...memberRefusals, ...queryRefusals };

const readOnly = coded('DEMO_MODE', 'CROSS_ORIGIN');
const limitReached = coded('LIMIT_REACHED').extend({ limit: z.int().positive() });
const missing = { 404: coded('NOT_FOUND') };
/** An account that comes from a connection is not changed by hand. */
const connected = { 409: coded('CONFLICT') };

export const gone = z.null().describe('It is gone.');
export const newAccountRefusals = { ...memberRefusals, ...bodyRefusals, 403: z.union([limitReached, readOnly]) };
export const accountChangeRefusals = { ...memberRefusals, ...bodyRefusals, ...missing, ...connected, 403: readOnly };
export const accountRemovalRefusals = { ...memberRefusals, ...bodyRefusals, ...missing, ...connected, 403: readOnly };
export const newHoldingRefusals = {
  ...memberRefusals,
  ...bodyRefusals,
  403: z.union([limitReached, readOnly]),
  404: coded('NOT_FOUND', 'UNKNOWN_SYMBOL'),
  422: coded('UNSUPPORTED_ASSET'),
};
export const holdingChangeRefusals = { ...memberRefusals, ...bodyRefusals, ...missing, 403: readOnly };
export const holdingRemovalRefusals = { ...memberRefusals, ...bodyRefusals, ...missing, 403: readOnly };

import { randomAlphanumeric } from '../../platform/http/random-alphanumeric.ts';

type IdPrefix =
  | 'user'
  | 'idn'
  | 'client'
  | 'sess'
  | 'sit'
  | 'sia'
  | 'sua'
  | 'ins'
  | 'inv'
  | 'msg'
  | 'link'
  | 'tok'
  | 'pkey'
  | 'totp'
  | 'bcode';

/**
 * Returns a new id in the form of the hosted provider: prefix, underscore, 27 letters and digits (about 160 random
 * bits).
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomAlphanumeric(27)}`;
}

import { randomAlphanumeric } from '../../platform/http/random-alphanumeric.ts';

type IdPrefix = 'user' | 'idn' | 'client' | 'sess' | 'sit' | 'sia' | 'sua' | 'ins' | 'msg' | 'tok';

/** A fresh id in the hosted provider's form: prefix, underscore, 27 letters and digits (about 160 random bits). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomAlphanumeric(27)}`;
}

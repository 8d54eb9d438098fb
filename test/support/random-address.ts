import { randomBytes } from 'node:crypto';

/** One of sixteen million private addresses, each of which has limits of its own. */
export const createRandomAddress = (): string => `10.${[...randomBytes(3)].join('.')}`;

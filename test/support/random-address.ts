import { randomBytes } from 'node:crypto';

/** Returns one of sixteen million private addresses, each with its own limits. */
export const createRandomAddress = (): string => `10.${[...randomBytes(3)].join('.')}`;

import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 6;
/** Letters and digits that no font confuses. A code of 24 has 117 random bits, so a plain hash protects it. */
const ALPHABET = 'abcdefghjkmnpqrstvwxyz23456789';

/** Returns ten recovery codes such as `k3m9xq-7hw2pd-n4t8rz-c6v5bj`. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, generateGroup).join('-'));

const generateGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Returns the SHA-256 of a recovery code, whatever its case, spaces and hyphens. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest();

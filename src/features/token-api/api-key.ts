import { hash, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'sk-tally-';
const KEY_PATTERN = /^sk-tally-[A-Za-z0-9_-]{43}$/;

/** Generates an API key of 256 random bits. The key is shown once and never stored. */
export function generateApiKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** Returns whether a text has the format of a key. Other texts are rejected without a lookup. */
export const isApiKeyFormat = (text: string): boolean => KEY_PATTERN.test(text);

/** Returns the SHA-256 of a key in hexadecimal, which is stored instead of the key. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** Returns the last four characters of a key, by which a person identifies it in a list. */
export const getKeyHint = (key: string): string => key.slice(-4);

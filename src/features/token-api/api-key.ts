import { hash, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'sk-tally-';
const KEY_PATTERN = /^sk-tally-[A-Za-z0-9_-]{43}$/;

/** A fresh key of 256 random bits, shown once and never stored. */
export function generateApiKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** Whether a text can be a key at all; what cannot costs no look-up. */
export const isApiKeyFormat = (text: string): boolean => KEY_PATTERN.test(text);

/** What is stored of a key: its SHA-256, in hexadecimal. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** The characters by which a person tells keys apart in a list. */
export const getKeyHint = (key: string): string => key.slice(-4);

import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tally_mcp_';
const TOKEN_PATTERN = /^tally_mcp_[A-Za-z0-9_-]{43}$/;

/** Generates a token of 256 random bits. It is shown once and never stored. */
export const generateToken = (): string => PREFIX + randomBytes(32).toString('base64url');

/** Returns whether a text has the format of a token. Other texts cause no database query. */
export const hasTokenFormat = (text: string): boolean => TOKEN_PATTERN.test(text);

/** Returns the SHA-256 of a token, which is stored in its place. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the last characters of a token, by which a person recognizes it in a list. */
export const getTokenHint = (token: string): string => token.slice(-4);

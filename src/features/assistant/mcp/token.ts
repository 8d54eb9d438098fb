import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tally_mcp_';
const TOKEN_PATTERN = /^tally_mcp_[A-Za-z0-9_-]{43}$/;

/** A fresh token of 256 random bits, shown once and never stored. */
export const generateToken = (): string => PREFIX + randomBytes(32).toString('base64url');

/** Whether a text can be a token at all; what cannot costs no look-up. */
export const hasTokenFormat = (text: string): boolean => TOKEN_PATTERN.test(text);

/** What is stored of a token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The characters by which a person tells tokens apart in a list. */
export const getTokenHint = (token: string): string => token.slice(-4);

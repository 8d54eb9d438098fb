import { createHash, createHmac } from 'node:crypto';
import { hasMatchingSignature } from '../timing-safe-equal.ts';
import type { WebhookScheme } from '../signed-webhook.ts';

const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

/** A number in the sender's spelling: `1.0` and `1` have equal values and different bytes. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const preserveNumbers = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined ? new NumberText(source) : value;

const parsePreservingNumbers = JSON.parse as (text: string, reviver: typeof preserveNumbers) => unknown;

const quoteAscii = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes JSON as Python's `json.dumps(…, sort_keys=True, separators=(',', ':'))` does. */
export function stringifySorted(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === 'string') return quoteAscii(value);
  if (Array.isArray(value)) return `[${value.map(stringifySorted).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${entries.map(([key, field]) => `${quoteAscii(key)}:${stringifySorted(field)}`).join(',')}}`;
}

interface SortedJsonOptions {
  /** Header with the base64 of the HMAC. */
  header: string;
  /** Field of the body with its time in ISO 8601. */
  timeField: string;
  secrets: readonly string[];
}

/**
 * Creates a verifier of a base64 HMAC-SHA256 over the body serialized with sorted keys. An HMAC over the raw bytes is
 * accepted too, because a number has several spellings. The time is inside the body. The delivery's id is a digest of
 * the sorted body.
 */
export const createSortedJsonHmacScheme =
  ({ header, timeField, secrets }: SortedJsonOptions): WebhookScheme =>
  ({ headers, body }) => {
    const encoded = headers[header];
    if (typeof encoded !== 'string' || !SIGNATURE.test(encoded)) return { ok: false, reason: 'headers' };
    let json: unknown;
    let sorted: string;
    try {
      json = parsePreservingNumbers(new TextDecoder('utf-8', { fatal: true }).decode(body), preserveNumbers);
      sorted = stringifySorted(json);
    } catch {
      // The body is no JSON, no UTF-8, or nested deeper than the call stack.
      return { ok: false, reason: 'body' };
    }
    const expected = secrets.flatMap((secret) =>
      [sorted, body].map((text) => createHmac('sha256', secret).update(text).digest()),
    );
    if (!hasMatchingSignature([Buffer.from(encoded, 'base64')], expected)) return { ok: false, reason: 'signature' };
    const time = (json as Readonly<Record<string, unknown>> | null)?.[timeField];
    const signedAt = typeof time === 'string' ? Date.parse(time) / 1000 : Number.NaN;
    if (!Number.isFinite(signedAt)) return { ok: false, reason: 'body' };
    return { ok: true, id: createHash('sha256').update(sorted).digest('hex'), signedAt };
  };

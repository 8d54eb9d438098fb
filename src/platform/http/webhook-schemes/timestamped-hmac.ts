import { createHash, createHmac } from 'node:crypto';
import { hasMatchingSignature } from '../timing-safe-equal.ts';
import type { WebhookScheme } from '../signed-webhook.ts';

const TIMESTAMP = /^t=([0-9]{9,11})$/;
const SIGNATURE = /^v1=([0-9a-f]{64})$/;

/**
 * Creates a verifier of one header `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `t.body`. A sender repeats `v1` during a
 * rotation of secrets. Other versions (`v0`) are ignored. The delivery's id is a digest of the signed text.
 */
export const createTimestampedHmacScheme =
  (header: string, secrets: readonly string[]): WebhookScheme =>
  ({ headers, body }) => {
    const value = headers[header];
    if (typeof value !== 'string' || value.length > 4_096) return { ok: false, reason: 'headers' };
    const parts = value.split(',');
    const times = parts.filter((part) => part.startsWith('t='));
    const timestamp = times.length === 1 ? TIMESTAMP.exec(times[0]!)?.[1] : undefined;
    if (timestamp === undefined) return { ok: false, reason: 'headers' };
    const received = parts.flatMap((part) => {
      const hex = SIGNATURE.exec(part)?.[1];
      return hex === undefined ? [] : [Buffer.from(hex, 'hex')];
    });
    const expected = secrets.map((secret) =>
      createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest(),
    );
    if (!hasMatchingSignature(received, expected)) return { ok: false, reason: 'signature' };
    const id = createHash('sha256').update(`${timestamp}.`).update(body).digest('hex');
    return { ok: true, id, signedAt: Number(timestamp) };
  };

import { createHmac } from 'node:crypto';
import { hasMatchingSignature } from '../timing-safe-equal.ts';
import type { WebhookScheme } from '../signed-webhook.ts';

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[0-9]{9,11}$/;
/** One signature of the header: version 1 and the base64 of exactly 32 bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/** Computes the HMAC-SHA256 over `id.timestamp.body`. `secret` is `whsec_` followed by base64. */
function computeHmac(secret: string, id: string, timestamp: string, body: string | Buffer): Buffer {
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Returns the signed headers of a delivery. `timestampSeconds` is in seconds since 1970. */
export function signDelivery(
  secret: string,
  id: string,
  body: string,
  timestampSeconds: number,
): Record<string, string> {
  const timestamp = String(Math.floor(timestampSeconds));
  return {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${computeHmac(secret, id, timestamp, body).toString('base64')}`,
  };
}

/**
 * Creates a verifier of Standard Webhooks with the header names of Svix. One valid signature is sufficient, because a
 * sender signs with both secrets during a rotation.
 */
export const createStandardWebhooksScheme =
  (secrets: readonly string[]): WebhookScheme =>
  ({ headers, body }) => {
    const { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signatureList } = headers;
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatureList !== 'string')
      return { ok: false, reason: 'headers' };
    if (!ID.test(id) || !TIMESTAMP.test(timestamp) || signatureList.length > 4_096)
      return { ok: false, reason: 'headers' };
    const received = signatureList.split(' ').flatMap((candidate) => {
      const encoded = SIGNATURE.exec(candidate)?.[1];
      return encoded === undefined ? [] : [Buffer.from(encoded, 'base64')];
    });
    const expected = secrets.map((secret) => computeHmac(secret, id, timestamp, body));
    return hasMatchingSignature(received, expected)
      ? { ok: true, id, signedAt: Number(timestamp) }
      : { ok: false, reason: 'signature' };
  };

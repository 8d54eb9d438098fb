import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which a delivery's time may differ from ours. */
const TOLERANCE = 300;
const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[0-9]{9,11}$/;
/** One signature of the list: version 1, then exactly the base64 of 32 bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

export type DeliveryHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type SignatureCheck = { ok: true; id: string } | { ok: false; reason: 'headers' | 'time' | 'signature' };

/** `secret` is `whsec_` and base64. */
function hmac(secret: string, id: string, timestamp: string, body: string | Buffer): Buffer {
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** The headers of one delivery of `body`. `at` is in seconds since 1970. */
export function signDelivery(secret: string, id: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at));
  return {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${hmac(secret, id, timestamp, body).toString('base64')}`,
  };
}

/**
 * Whether the secret's holder sent exactly these bytes under this id within five minutes of `now` (seconds since 1970).
 * One good signature of the list is enough (secrets are rotated so); every candidate is compared in constant time.
 */
export function checkDelivery(secret: string, headers: DeliveryHeaders, body: Buffer, now: number): SignatureCheck {
  const { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': list } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof list !== 'string')
    return { ok: false, reason: 'headers' };
  if (!ID.test(id) || !TIMESTAMP.test(timestamp) || list.length > 4_096) return { ok: false, reason: 'headers' };
  if (!(Math.abs(now - Number(timestamp)) <= TOLERANCE)) return { ok: false, reason: 'time' };
  const expected = hmac(secret, id, timestamp, body);
  let good = false;
  for (const candidate of list.split(' ')) {
    const encoded = SIGNATURE.exec(candidate)?.[1];
    if (encoded === undefined) continue;
    const signature = Buffer.from(encoded, 'base64');
    if (signature.length === expected.length && timingSafeEqual(signature, expected)) good = true;
  }
  return good ? { ok: true, id } : { ok: false, reason: 'signature' };
}

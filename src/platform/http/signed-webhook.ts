import { z } from 'zod';
import type { ServiceSql } from '../database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { publicGuard } from './guard.ts';
import { parseJson } from './parse-json.ts';
import { findUnstorablePath } from './storable-text.ts';

/** One delivery as it arrived: the signature is over these bytes and no others. */
interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** A good signature's `signedAt` is in seconds since 1970, its `id` the sender's own or a digest of what was signed. */
type SignatureResult =
  | { ok: true; id: string; signedAt: number }
  | { ok: false; reason: 'headers' | 'body' | 'signature' | 'unavailable' };

/** How a sender signs; `now` is in seconds since 1970. One function for each sender's way, in `webhook-schemes/`. */
export type WebhookScheme = (delivery: Delivery, now: number) => SignatureResult | Promise<SignatureResult>;

/** Seconds by which a delivery's time may lie behind ours, and ahead of it. */
interface ToleranceSeconds {
  past: number;
  future: number;
}

type WebhookCheck = SignatureResult | { ok: false; reason: 'time' };

/** Whether a delivery is the sender's and of now. */
export async function checkWebhook(
  scheme: WebhookScheme,
  tolerance: ToleranceSeconds,
  delivery: Delivery,
  now = Date.now() / 1000,
): Promise<WebhookCheck> {
  const signatureResult = await scheme(delivery, now);
  if (!signatureResult.ok) return signatureResult;
  const age = now - signatureResult.signedAt;
  return age <= tolerance.past && age >= -tolerance.future ? signatureResult : { ok: false, reason: 'time' };
}

export interface SignedWebhook<Event> {
  path: string;
  /** Who sends, as the error messages say it: `the identity provider`. */
  sender: string;
  /** `undefined` where no secret is set: 503 `NOT_CONFIGURED`. */
  scheme: WebhookScheme | undefined;
  /** Five minutes either way without it. */
  tolerance?: ToleranceSeconds;
  /** Bytes of a body (default 256 kB); a larger one is 413. */
  bodyLimit?: number;
  /** The events that the route takes, unused ones included; any other body is 400. */
  event: z.ZodType<Event>;
  /** A better name of the delivery than the scheme's, from inside the signed body. */
  getEventId?: ((event: Event) => string | undefined) | undefined;
  sql: ServiceSql;
  /** Notes a delivery; `false` where it was noted before. A transaction that is handling it now is waited for. */
  recordDelivery(sql: ServiceSql, id: string, event: Event): Promise<boolean>;
  /** Applies the event, in the transaction that notes the delivery: when it throws, the sender delivers again. */
  handle(sql: ServiceSql, event: Event): Promise<void>;
}

const DEFAULT_TOLERANCE: ToleranceSeconds = { past: 300, future: 300 };
const received = z.object({ received: z.literal(true) });

/**
 * A route for a sender's signed events. The signature is checked over the raw bytes first; each delivery takes effect
 * once and is answered 200 on every repetition; a fault answers 5xx, so that the sender delivers again.
 */
export function addSignedWebhook<Event>(app: HttpApp, webhook: SignedWebhook<Event>): void {
  const { path, sender, scheme, tolerance = DEFAULT_TOLERANCE, bodyLimit = 262_144, sql } = webhook;
  const guard = publicGuard(`${sender} signs what it sends`);
  void app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));

    scope.post(path, { config: { guard }, schema: { response: { 200: received } } }, async (request) => {
      if (!scheme) throw new AppError('NOT_CONFIGURED');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const checkResult = await checkWebhook(scheme, tolerance, { headers: request.headers, body });
      if (!checkResult.ok) {
        request.log.warn({ reason: checkResult.reason }, 'webhook refused');
        if (checkResult.reason === 'unavailable') throw new AppError('UNAVAILABLE', { retryAfter: 30 });
        throw new AppError('UNAUTHENTICATED', { message: 'The signature of this delivery is not valid.' });
      }
      const event = parseEvent(body, webhook.event, sender);
      await sql.transaction(async (transaction) => {
        if (await webhook.recordDelivery(transaction, webhook.getEventId?.(event) ?? checkResult.id, event))
          await webhook.handle(transaction, event);
      });
      return { received: true as const };
    });
  });
}

function parseEvent<Event>(body: Buffer, event: z.ZodType<Event>, sender: string): Event {
  const toValidationError = (message: string) => new AppError('INVALID_REQUEST', { issues: [{ path: '', message }] });
  const json = parseJson(body.toString('utf8'));
  if (json === undefined) throw toValidationError('the body is not valid JSON');
  const result = event.safeParse(json);
  if (!result.success) throw toValidationError(`the body is no event of ${sender}`);
  if (findUnstorablePath(result.data) !== undefined) throw toValidationError('the body has text that cannot be stored');
  return result.data;
}

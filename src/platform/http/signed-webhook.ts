import { z } from 'zod';
import type { ServiceSql } from '../database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { publicGuard } from './guard.ts';
import { parseJson } from './parse-json.ts';
import { findUnstorablePath } from './storable-text.ts';

/** One delivery with its raw bytes, which the signature covers. */
interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/**
 * For a valid signature, `signedAt` is in seconds since 1970. `id` is the sender's id or a digest of the signed bytes.
 */
type SignatureResult =
  | { ok: true; id: string; signedAt: number }
  | { ok: false; reason: 'headers' | 'body' | 'signature' | 'unavailable' };

/** Verifies a delivery. `now` is in seconds since 1970. `webhook-schemes/` has one factory per scheme. */
export type WebhookScheme = (delivery: Delivery, now: number) => SignatureResult | Promise<SignatureResult>;

/** Seconds by which the time of a delivery may be before or after the server's clock. */
interface ToleranceSeconds {
  past: number;
  future: number;
}

type WebhookCheck = SignatureResult | { ok: false; reason: 'time' };

/** Returns whether a delivery is signed by the sender and recent. */
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
  /** Name of the sender in error messages: `the identity provider`. */
  sender: string;
  /** undefined if no secret is set. The route then returns 503 `NOT_CONFIGURED`. */
  scheme: WebhookScheme | undefined;
  /** Default: 300 seconds before and after. */
  tolerance?: ToleranceSeconds;
  /** Maximum body size in bytes (default 262,144). A larger body returns 413. */
  bodyLimit?: number;
  /** Schema of the events, including those that the service does not use. Any other body returns 400. */
  event: z.ZodType<Event>;
  /** Returns the delivery's id from the signed body. Default: the id of the scheme. */
  getEventId?: ((event: Event) => string | undefined) | undefined;
  sql: ServiceSql;
  /**
   * Records a delivery. Returns false if it was recorded before. Waits for a transaction that is handling the delivery
   * now.
   */
  recordDelivery(sql: ServiceSql, id: string, event: Event): Promise<boolean>;
  /** Applies the event in the transaction that records the delivery. If it throws, the sender delivers again. */
  handle(sql: ServiceSql, event: Event): Promise<void>;
}

const DEFAULT_TOLERANCE: ToleranceSeconds = { past: 300, future: 300 };
const received = z.object({ received: z.literal(true) });

/**
 * Adds a route for a sender's signed events. The signature is verified over the raw bytes first. Each delivery takes
 * effect once, and every repetition is answered with 200. An internal error returns 5xx, so that the sender delivers
 * again.
 */
export function addSignedWebhook<Event>(app: HttpApp, webhook: SignedWebhook<Event>): void {
  const { path, sender, scheme, tolerance = DEFAULT_TOLERANCE, bodyLimit = 262_144, sql } = webhook;
  const guard = publicGuard(`${sender} signs its deliveries`);
  void app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));

    scope.post(path, { config: { guard }, schema: { response: { 200: received } } }, async (request) => {
      if (!scheme) throw new AppError('NOT_CONFIGURED');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const checkResult = await checkWebhook(scheme, tolerance, { headers: request.headers, body });
      if (!checkResult.ok) {
        request.log.warn({ reason: checkResult.reason }, 'webhook rejected');
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
  if (!result.success) throw toValidationError(`the body is not an event of ${sender}`);
  if (findUnstorablePath(result.data) !== undefined) throw toValidationError('the body has text that cannot be stored');
  return result.data;
}

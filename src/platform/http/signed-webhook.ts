import { z } from 'zod';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { openTo } from './guard.ts';
import { parseJson } from './parse-json.ts';
import { findUnstorable } from './storable-text.ts';

/** One delivery as it arrived: the signature is over these bytes and no others. */
interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** A good signature's `signedAt` is in seconds since 1970, its `id` the sender's own or a digest of what was signed. */
type Signed =
  | { ok: true; id: string; signedAt: number }
  | { ok: false; reason: 'headers' | 'body' | 'signature' | 'unavailable' };

/** How a sender signs; `now` is in seconds since 1970. One function for each sender's way, in `webhook-schemes/`. */
export type WebhookScheme = (delivery: Delivery, now: number) => Signed | Promise<Signed>;

/** Seconds by which a delivery's time may lie behind ours, and ahead of it. */
interface Tolerance {
  past: number;
  future: number;
}

type Checked = Signed | { ok: false; reason: 'time' };

/** Whether a delivery is the sender's and of now. */
export async function checkWebhook(
  scheme: WebhookScheme,
  tolerance: Tolerance,
  delivery: Delivery,
  now = Date.now() / 1000,
): Promise<Checked> {
  const signed = await scheme(delivery, now);
  if (!signed.ok) return signed;
  const age = now - signed.signedAt;
  return age <= tolerance.past && age >= -tolerance.future ? signed : { ok: false, reason: 'time' };
}

export interface SignedWebhook<Event> {
  path: string;
  /** Who sends, as the error messages say it: `the identity provider`. */
  sender: string;
  /** `undefined` where no secret is set: 503 `NOT_CONFIGURED`. */
  scheme: WebhookScheme | undefined;
  /** Five minutes either way without it. */
  tolerance?: Tolerance;
  /** Bytes of a body (default 256 kB); a larger one is 413. */
  bodyLimit?: number;
  /** The events that the route takes, unused ones included; any other body is 400. */
  event: z.ZodType<Event>;
  /** A better name of the delivery than the scheme's, from inside the signed body. */
  idOf?: ((event: Event) => string | undefined) | undefined;
  sql: ServiceSql;
  /** Notes a delivery; `false` where it was noted before. A transaction that is handling it now is waited for. */
  remember(sql: ServiceSql, id: string, event: Event): Promise<boolean>;
  /** Applies the event, in the transaction that notes the delivery: when it throws, the sender delivers again. */
  handle(sql: ServiceSql, event: Event): Promise<void>;
}

const FIVE_MINUTES: Tolerance = { past: 300, future: 300 };
const received = z.object({ received: z.literal(true) });

/**
 * A route for a sender's signed events. The signature is checked over the raw bytes first; each delivery takes effect
 * once and is answered 200 on every repetition; a fault answers 5xx, so that the sender delivers again.
 */
export function addSignedWebhook<Event>(app: HttpApp, webhook: SignedWebhook<Event>): void {
  const { path, sender, scheme, tolerance = FIVE_MINUTES, bodyLimit = 262_144, sql } = webhook;
  const guard = openTo(`${sender} signs what it sends`);
  void app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));

    scope.post(path, { config: { guard }, schema: { response: { 200: received } } }, async (request) => {
      if (!scheme) throw new Failure('NOT_CONFIGURED');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const check = await checkWebhook(scheme, tolerance, { headers: request.headers, body });
      if (!check.ok) {
        request.log.warn({ reason: check.reason }, 'webhook refused');
        if (check.reason === 'unavailable') throw new Failure('UNAVAILABLE', { retryAfter: 30 });
        throw new Failure('UNAUTHENTICATED', { message: 'The signature of this delivery is not valid.' });
      }
      const event = parse(body, webhook.event, sender);
      await sql.transaction(async (transaction) => {
        if (await webhook.remember(transaction, webhook.idOf?.(event) ?? check.id, event))
          await webhook.handle(transaction, event);
      });
      return { received: true as const };
    });
  });
}

function parse<Event>(body: Buffer, event: z.ZodType<Event>, sender: string): Event {
  const refuse = (message: string) => new Failure('INVALID_REQUEST', { issues: [{ path: '', message }] });
  const json = parseJson(body.toString('utf8'));
  if (json === undefined) throw refuse('the body is not valid JSON');
  const result = event.safeParse(json);
  if (!result.success) throw refuse(`the body is no event of ${sender}`);
  if (findUnstorable(result.data) !== undefined) throw refuse('the body has text that cannot be stored');
  return result.data;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSql } from '../../database/roles.ts';
import { signDelivery } from '../../http/webhook-schemes/standard-webhooks.ts';
import {
  type ClaimedMessage,
  claimMessage,
  markDelivered,
  markFailed,
  nextDueIn,
  releaseMessage,
} from './webhook-queries.ts';

/** Seconds between attempts, as the hosted provider documents them: the last comes after about 27.6 hours. */
export const RETRY_SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

export interface DeliveryOptions {
  sql: ServiceSql;
  /** `whsec_…` */
  secret: string;
  receiverUrl: string;
  warn(details: object, message: string): void;
  schedule?: readonly number[];
  timeoutMs?: number;
  /** Seconds after which a message is due again whose attempt never reported back; must exceed the timeout. */
  leaseSeconds?: number;
  /** Messages of other processes are seen within this time. */
  pollMs?: number;
}

export interface WebhookDelivery {
  /** Looks for due messages now. */
  wake(): void;
  /** Breaks off the attempt under way (it is due again at once) and ends. */
  stop(): Promise<void>;
}

/** Delivers the outbox, one message at a time, until stopped. Any number of processes may do so at once. */
export function startWebhookDelivery(options: DeliveryOptions): WebhookDelivery {
  const { sql, pollMs = 5_000, leaseSeconds = 20 } = options;
  const stopping = new AbortController();
  let waiting = new AbortController();
  let woken = false;

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        const message = await claimMessage(sql, leaseSeconds);
        if (message) {
          await deliver(options, message, stopping.signal);
          continue;
        }
        await pause(Math.min(pollMs, (await nextDueIn(sql)) ?? pollMs));
      } catch (error) {
        options.warn({ err: error }, 'webhook delivery cannot reach the database');
        await pause(1_000);
      }
    }
  };

  const pause = async (milliseconds: number): Promise<void> => {
    if (woken || stopping.signal.aborted) return;
    waiting = new AbortController();
    await sleep(Math.max(1, milliseconds), undefined, { signal: waiting.signal }).catch(() => {});
  };

  const running = run();
  return {
    wake() {
      woken = true;
      waiting.abort();
    },
    async stop() {
      stopping.abort();
      waiting.abort();
      await running;
    },
  };
}

async function deliver(options: DeliveryOptions, message: ClaimedMessage, stopped: AbortSignal): Promise<void> {
  const { sql, schedule = RETRY_SCHEDULE } = options;
  const attempt = await send(options, message, stopped);
  if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300)
    return markDelivered(sql, message.id, attempt.status);
  if (stopped.aborted) return releaseMessage(sql, message.id);
  const retryIn = schedule[message.attempts - 1] ?? null;
  options.warn(
    {
      message: message.id,
      type: message.type,
      attempt: message.attempts,
      status: attempt.status,
      error: attempt.error,
      retry_in_seconds: retryIn,
    },
    'webhook not delivered',
  );
  await markFailed(sql, message.id, retryIn, attempt.status, attempt.error ?? `status ${attempt.status}`);
}

/** One attempt. A redirect is a failure, as the hosted provider has it. */
async function send(
  options: DeliveryOptions,
  message: ClaimedMessage,
  stopped: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const response = await fetch(options.receiverUrl, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(options.timeoutMs ?? 15_000)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tally-webhooks',
        ...signDelivery(options.secret, message.id, message.payload, Date.now() / 1000),
      },
      body: message.payload,
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: error instanceof Error ? `${error.name}: ${error.message}` : 'no answer' };
  }
}

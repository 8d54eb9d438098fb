import { setTimeout as sleep } from 'node:timers/promises';

/** A message that one process has taken, for a while. */
export interface ClaimedMessage {
  id: string;
  type: string;
  payload: string;
  /** Attempts including the one that this claim is for. */
  attempts: number;
}

/** Where signed webhooks wait; shared by any number of processes. */
interface Outbox<Message extends ClaimedMessage = ClaimedMessage> {
  /** Takes the message that is due longest, for `leaseSeconds`; it is due again if its process dies meanwhile. */
  claim(leaseSeconds: number): Promise<Message | undefined>;
  markDelivered(id: string, status: number): Promise<void>;
  /** `retryIn` in seconds; null: given up. */
  markFailed(id: string, retryInSeconds: number | null, status: number | null, error: string): Promise<void>;
  /** Undoes a claim whose attempt was broken off by a stop. */
  release(id: string): Promise<void>;
  /** Milliseconds until the next message is due; null where none waits. */
  getMsUntilNextDue(): Promise<number | null>;
}

export interface OutboxDelivery<Message extends ClaimedMessage = ClaimedMessage> {
  outbox: Outbox<Message>;
  getUrl(message: Message): string;
  /** The headers that prove the sender, made anew for each attempt. */
  sign(message: Message): Record<string, string> | Promise<Record<string, string>>;
  warn(details: object, message: string): void;
  /** Seconds between attempts; after the last the message is given up. */
  retryDelaysSeconds: readonly number[];
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
export function deliverWebhooks<Message extends ClaimedMessage>(options: OutboxDelivery<Message>): WebhookDelivery {
  const { outbox, pollMs = 5_000, leaseSeconds = 20 } = options;
  const stopController = new AbortController();
  let pauseController = new AbortController();
  let isWoken = false;

  const run = async (): Promise<void> => {
    while (!stopController.signal.aborted) {
      isWoken = false;
      try {
        const message = await outbox.claim(leaseSeconds);
        if (message) {
          await deliver(options, message, stopController.signal);
          continue;
        }
        await pause(Math.min(pollMs, (await outbox.getMsUntilNextDue()) ?? pollMs));
      } catch (error) {
        options.warn({ err: error }, 'webhook delivery cannot reach the database');
        await pause(1_000);
      }
    }
  };

  const pause = async (milliseconds: number): Promise<void> => {
    if (isWoken || stopController.signal.aborted) return;
    pauseController = new AbortController();
    await sleep(Math.max(1, milliseconds), undefined, { signal: pauseController.signal }).catch(() => {});
  };

  const running = run();
  return {
    wake() {
      isWoken = true;
      pauseController.abort();
    },
    async stop() {
      stopController.abort();
      pauseController.abort();
      await running;
    },
  };
}

async function deliver<Message extends ClaimedMessage>(
  options: OutboxDelivery<Message>,
  message: Message,
  stopSignal: AbortSignal,
): Promise<void> {
  const { outbox, retryDelaysSeconds } = options;
  const { id, type, attempts } = message;
  const attempt = await send(options, message, stopSignal);
  if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300)
    return outbox.markDelivered(id, attempt.status);
  if (stopSignal.aborted) return outbox.release(id);
  const retryInSeconds = retryDelaysSeconds[attempts - 1] ?? null;
  options.warn(
    { message: id, type, attempt: attempts, ...attempt, retry_in_seconds: retryInSeconds },
    'webhook not delivered',
  );
  await outbox.markFailed(id, retryInSeconds, attempt.status, attempt.error ?? `status ${attempt.status}`);
}

/** One attempt. A redirect is a failure, as hosted services have it. */
async function send<Message extends ClaimedMessage>(
  options: OutboxDelivery<Message>,
  message: Message,
  stopSignal: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const response = await fetch(options.getUrl(message), {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopSignal, AbortSignal.timeout(options.timeoutMs ?? 15_000)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tally-webhooks',
        ...(await options.sign(message)),
      },
      body: message.payload,
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: error instanceof Error ? `${error.name}: ${error.message}` : 'no answer' };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** A message that one process has claimed for a limited time. */
export interface ClaimedMessage {
  id: string;
  type: string;
  payload: string;
  /** Number of attempts, including the one of this claim. */
  attempts: number;
}

/** Store of pending signed webhooks, shared by any number of processes. */
interface Outbox<Message extends ClaimedMessage = ClaimedMessage> {
  /**
   * Claims the message with the oldest due time for `leaseSeconds`. If the process dies, the message is due again after
   * that time.
   */
  claim(leaseSeconds: number): Promise<Message | undefined>;
  markDelivered(id: string, status: number): Promise<void>;
  /** Records a failed attempt. `retryInSeconds` is null if the message is given up. */
  markFailed(id: string, retryInSeconds: number | null, status: number | null, error: string): Promise<void>;
  /** Undoes a claim whose attempt was aborted by a stop. */
  release(id: string): Promise<void>;
  /** Resolves to the milliseconds until the next message is due, or null if none is pending. */
  getMsUntilNextDue(): Promise<number | null>;
}

export interface OutboxDelivery<Message extends ClaimedMessage = ClaimedMessage> {
  outbox: Outbox<Message>;
  getUrl(message: Message): string;
  /** Returns the headers that authenticate the sender, computed for each attempt. */
  sign(message: Message): Record<string, string> | Promise<Record<string, string>>;
  warn(details: object, message: string): void;
  /** Delays between attempts in seconds. After the last one the message is given up. */
  retryDelaysSeconds: readonly number[];
  timeoutMs?: number;
  /** Seconds after which a claimed message without a recorded outcome is due again. Must exceed the timeout. */
  leaseSeconds?: number;
  /** Interval in ms within which messages of other processes are found. */
  pollMs?: number;
}

export interface WebhookDelivery {
  /** Checks for due messages immediately. */
  wake(): void;
  /** Aborts the running attempt, which is due again immediately, and ends. */
  stop(): Promise<void>;
}

/**
 * Delivers the messages of the outbox one at a time until stopped. Any number of processes may deliver concurrently.
 */
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
        options.warn({ err: error }, 'webhook delivery failed: database unavailable; retrying in 1 s');
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

/** Makes one attempt. A redirect counts as a failure, as with hosted services. */
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
    return { status: null, error: error instanceof Error ? `${error.name}: ${error.message}` : 'no response' };
  }
}

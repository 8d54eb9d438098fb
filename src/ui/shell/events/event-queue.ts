import { ApiError } from '../../kit/api-error.ts';
import { withWebLock } from '../../kit/web-lock.ts';
import { hasDoNotTrack, isConsentOff, storeConsent } from './consent.ts';
import { bisectBatch, MAX_BATCH_EVENTS, selectBatch } from './event-batch.ts';
import { type EventStorage, type StoredEvent, getKeyTime } from './event-storage.ts';

/** Limits of one member's events in one browser. If a limit is exceeded, the oldest events are dropped. */
const STORAGE_LIMITS = { events: 200, characters: 128 * 1024, ms: 7 * 24 * 60 * 60_000 };
/** Age in ms below which only the capturing page sends an event. That page may be about to close. */
const RECENT_EVENT_MS = 2_000;
const FLUSH_DELAY_MS = 1_000;
/**
 * Delay in ms after the first failure. The delay doubles up to the maximum. A new event or a restored network retries
 * at once.
 */
const RETRY_BACKOFF_MS = 30_000;
const MAX_RETRY_BACKOFF_MS = 10 * 60_000;

/** Transport of the queue. Both functions reject with `ApiError`. */
export interface EventTransport {
  /** Returns whether the member allows event capture. */
  isEnabled: () => Promise<boolean>;
  /** Sends a batch. The request completes even if the page is closed. */
  post: (events: readonly StoredEvent[]) => Promise<void>;
}

interface EventQueueOptions {
  storage: EventStorage;
  transport: EventTransport;
  /** Returns the signed-in member, or undefined. */
  getMember: () => string | undefined;
  /** Returns the member whose events are stored, including a member whose session has expired. */
  getOwner: () => string | undefined;
}

/**
 * Sends the events that are queued in this browser. Only a response removes an event, so a killed tab loses nothing. A
 * repeated event has an unchanged id, and the service stores it once.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #inFlight = new Set<string>();
  /** Member whose switch is confirmed as on. */
  #enabledFor: string | undefined;
  #isSending = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Sends after one second, so that events captured until then join the batch. */
  flushSoon(): void {
    this.#flushTimer ??= setTimeout(() => {
      void this.flush();
    }, FLUSH_DELAY_MS);
  }

  /**
   * Sends all queued events of the signed-in member, oldest first. One tab of the browser sends at a time. The next tab
   * sends the remaining events.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    if (hasDoNotTrack()) return this.#options.storage.remove();
    this.#dropExcess();
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      // Without locks two tabs may send one event, which the service stores once.
      await withWebLock('tally.events', () => this.#sendAll());
    } catch {
      // Another page stole the lock. The next flush sends the remaining events.
    } finally {
      this.#isSending = false;
    }
  }

  /** Sends the latest events of this page at once and without the lock, because the page may be closed. */
  flushOnHide(): void {
    const { storage, getMember } = this.#options;
    const member = getMember();
    if (member === undefined || this.#enabledFor !== member || isConsentOff(member) || !navigator.onLine) return;
    const capturedKeys = storage.keys(member).filter((key) => storage.capturedKeys.has(key));
    const batch = this.#selectBatch(capturedKeys, MAX_BATCH_EVENTS);
    if (batch.size === 0) return;
    void this.#post(batch).then((outcome) => outcome === 'accepted' && storage.remove([...batch.keys()]));
  }

  async #sendAll(): Promise<void> {
    const { storage, getMember } = this.#options;
    let maxEvents = MAX_BATCH_EVENTS;
    for (let member = getMember(); member !== undefined; member = getMember()) {
      const waiting = storage.keys(member);
      const sendable = waiting.filter(
        (key) => storage.capturedKeys.has(key) || Date.now() - getKeyTime(key) >= RECENT_EVENT_MS,
      );
      const batch = this.#selectBatch(sendable, maxEvents);
      if (batch.size === 0) {
        // Retry soon: these may be the last events of a closed tab.
        if (waiting.length > 0) this.#flushIn(RECENT_EVENT_MS);
        return;
      }
      if (isConsentOff(member)) return storage.remove();
      if (this.#enabledFor !== member) {
        if (!(await this.#fetchConsent(member))) return;
        // Another member may have signed in since the last batch.
        continue;
      }
      const outcome = await this.#post(batch);
      if (outcome === 'unavailable') return;
      const isRejected = outcome === 'rejected';
      // A single rejected event is dropped.
      if (!isRejected || batch.size === 1) this.#remove([...batch.keys()]);
      maxEvents = bisectBatch(maxEvents, batch.size, isRejected);
    }
  }

  /** Fetches the member's switch before the first event of a page. Returns false if there is no response. */
  async #fetchConsent(member: string): Promise<boolean> {
    try {
      const isEnabled = await this.#options.transport.isEnabled();
      storeConsent(member, isEnabled);
      this.#enabledFor = isEnabled ? member : undefined;
      return isEnabled;
    } catch (error) {
      this.#retry(error);
      return false;
    }
  }

  async #post(batch: ReadonlyMap<string, StoredEvent>): Promise<'accepted' | 'rejected' | 'unavailable'> {
    const { storage, transport } = this.#options;
    const keys = [...batch.keys()];
    for (const key of keys) {
      this.#inFlight.add(key);
      storage.capturedKeys.delete(key);
    }
    try {
      await transport.post([...batch.values()]);
      this.#failures = 0;
      return 'accepted';
    } catch (error) {
      if (error instanceof ApiError && [400, 413].includes(error.status)) return 'rejected';
      for (const key of keys) storage.capturedKeys.add(key);
      this.#retry(error);
      return 'unavailable';
    } finally {
      for (const key of keys) this.#inFlight.delete(key);
    }
  }

  #selectBatch(keys: readonly string[], maxEvents: number): Map<string, StoredEvent> {
    const { storage } = this.#options;
    const waiting = keys.flatMap((key) => {
      const json = this.#inFlight.has(key) ? null : storage.read(key);
      return json === null ? [] : [[key, json] as const];
    });
    const { events, invalid } = selectBatch(waiting, maxEvents);
    storage.remove(invalid);
    return events;
  }

  #remove(keys: readonly string[]): void {
    const { storage } = this.#options;
    storage.remove(keys);
    // If storage does not delete an event, its key is remembered, so that the event is not sent again.
    for (const key of keys) if (storage.read(key) !== null) this.#inFlight.add(key);
  }

  /** Drops events that are too old, exceed the limits, or belong to a previous member. */
  #dropExcess(): void {
    const { storage, getOwner } = this.#options;
    const member = getOwner();
    if (member === undefined) return;
    const memberKeys = new Set(storage.keys(member));
    let events = 0;
    let characters = 0;
    const excess = [...memberKeys].toReversed().filter((key) => {
      events += 1;
      characters += storage.read(key)?.length ?? 0;
      const isTooOld = Date.now() - getKeyTime(key) > STORAGE_LIMITS.ms;
      return events > STORAGE_LIMITS.events || characters > STORAGE_LIMITS.characters || isTooOld;
    });
    storage.remove([...excess, ...storage.keys().filter((key) => !memberKeys.has(key))]);
    // Another tab has sent these events.
    for (const key of storage.capturedKeys) if (!memberKeys.has(key)) storage.capturedKeys.delete(key);
  }

  #retry(error: unknown): void {
    const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
    this.#flushIn(Math.max(retryAfter, Math.min(MAX_RETRY_BACKOFF_MS, RETRY_BACKOFF_MS * 2 ** this.#failures)));
    this.#failures += 1;
  }

  #flushIn(milliseconds: number): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      void this.flush();
    }, milliseconds);
  }
}

import { ApiError } from '../../kit/api-error.ts';
import { withWebLock } from '../../kit/web-lock.ts';
import { hasDoNotTrack, isConsentOff, storeConsent } from './consent.ts';
import { bisectBatch, MAX_BATCH_EVENTS, selectBatch } from './event-batch.ts';
import { type EventStorage, type StoredEvent, getKeyTime } from './event-storage.ts';

/** What one member's events may come to in one browser; past it the oldest are dropped. */
const STORAGE_LIMITS = { events: 200, characters: 128 * 1024, ms: 7 * 24 * 60 * 60_000 };
/** An event of the last two seconds is sent by the page that captured it, which may be about to close. */
const RECENT_EVENT_MS = 2_000;
const FLUSH_DELAY_MS = 1_000;
/** The first wait after a failure; it doubles up to the longest. An event, or the network's return, asks at once. */
const RETRY_BACKOFF_MS = 30_000;
const MAX_RETRY_BACKOFF_MS = 10 * 60_000;

/** How the queue reaches the service; both reject with `ApiError`. */
export interface EventTransport {
  /** Whether the member lets events be captured. */
  isEnabled: () => Promise<boolean>;
  /** Sends a batch, to its end also when the page is closed meanwhile. */
  post: (events: readonly StoredEvent[]) => Promise<void>;
}

interface EventQueueOptions {
  storage: EventStorage;
  transport: EventTransport;
  /** The signed-in member; undefined without one. */
  getMember: () => string | undefined;
  /** A member whose events are kept, also while their ended session waits to be renewed. */
  getOwner: () => string | undefined;
}

/**
 * Sends the events that wait in this browser. Only an answer removes an event, so that a killed tab loses nothing: it is
 * sent again with the same id, which the service stores once.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #inFlight = new Set<string>();
  /** The member whose switch is known to be on. */
  #enabledFor: string | undefined;
  #isSending = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #gatherTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Sends a second later, with what is captured until then. */
  flushSoon(): void {
    this.#gatherTimer ??= setTimeout(() => void this.flush(), FLUSH_DELAY_MS);
  }

  /**
   * Sends what waits of the signed-in member, the oldest first, until nothing is left. One tab of the browser sends at a
   * time; the next one finds what it has left.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#gatherTimer);
    this.#gatherTimer = undefined;
    if (hasDoNotTrack()) return this.#options.storage.remove();
    this.#dropExcess();
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      // Without locks two tabs may send the same event, which is stored once.
      await withWebLock('tally.events', () => this.#sendAll());
    } catch {
      // A lock that was stolen: the next flush sends what is left.
    } finally {
      this.#isSending = false;
    }
  }

  /** Sends what this page has captured last at once, beside the lock: the page may not come back. */
  flushOnHide(): void {
    const { storage, getMember } = this.#options;
    const member = getMember();
    if (member === undefined || this.#enabledFor !== member || isConsentOff(member) || !navigator.onLine) return;
    const capturedKeys = storage.keys(member).filter((key) => storage.capturedKeys.has(key));
    const batch = this.#takeBatch(capturedKeys, MAX_BATCH_EVENTS);
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
      const batch = this.#takeBatch(sendable, maxEvents);
      if (batch.size === 0) {
        // Another page's last events, should it not send them.
        if (waiting.length > 0) this.#flushIn(RECENT_EVENT_MS);
        return;
      }
      if (isConsentOff(member)) return storage.remove();
      if (this.#enabledFor !== member) {
        if (!(await this.#askSwitch(member))) return;
        // Meanwhile another member may have signed in.
        continue;
      }
      const outcome = await this.#post(batch);
      if (outcome === 'unavailable') return;
      const isRejected = outcome === 'refused';
      // A single event that is refused is dropped.
      if (!isRejected || batch.size === 1) this.#remove([...batch.keys()]);
      maxEvents = bisectBatch(maxEvents, batch.size, isRejected);
    }
  }

  /** Asks, before the first event of a page, whether the member lets events be captured; false also without an answer. */
  async #askSwitch(member: string): Promise<boolean> {
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

  async #post(batch: ReadonlyMap<string, StoredEvent>): Promise<'accepted' | 'refused' | 'unavailable'> {
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
      if (error instanceof ApiError && [400, 413].includes(error.status)) return 'refused';
      for (const key of keys) storage.capturedKeys.add(key);
      this.#retry(error);
      return 'unavailable';
    } finally {
      for (const key of keys) this.#inFlight.delete(key);
    }
  }

  #takeBatch(keys: readonly string[], maxEvents: number): Map<string, StoredEvent> {
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
    // A storage that removes nothing has no event sent over and over.
    for (const key of keys) if (storage.read(key) !== null) this.#inFlight.add(key);
  }

  /** Drops what is too old, too much, or of a member who is no longer here. */
  #dropExcess(): void {
    const { storage, getOwner } = this.#options;
    const member = getOwner();
    if (member === undefined) return;
    const memberKeys = new Set(storage.keys(member));
    let [events, characters] = [0, 0];
    const excess = [...memberKeys].toReversed().filter((key) => {
      events += 1;
      characters += storage.read(key)?.length ?? 0;
      const isTooOld = Date.now() - getKeyTime(key) > STORAGE_LIMITS.ms;
      return events > STORAGE_LIMITS.events || characters > STORAGE_LIMITS.characters || isTooOld;
    });
    storage.remove([...excess, ...storage.keys().filter((key) => !memberKeys.has(key))]);
    // What another tab has sent.
    for (const key of storage.capturedKeys) if (!memberKeys.has(key)) storage.capturedKeys.delete(key);
  }

  #retry(error: unknown): void {
    const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
    this.#flushIn(Math.max(retryAfter, Math.min(MAX_RETRY_BACKOFF_MS, RETRY_BACKOFF_MS * 2 ** this.#failures)));
    this.#failures += 1;
  }

  #flushIn(milliseconds: number): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.flush(), milliseconds);
  }
}

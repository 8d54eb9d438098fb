import { ApiError } from '../../kit/api-error.ts';
import { createSend } from '../api/call-api.ts';
import {
  declines,
  dropEvents,
  isOff,
  type KeptEvent,
  keptKeys,
  noteSwitch,
  ownKeys,
  readKept,
  timeOfKey,
} from './event-storage.ts';
import { withPageLock } from '../../kit/page-lock.ts';
import { SessionEnded } from '../session/session-state.ts';
import { session } from '../session/session.ts';

/** What one member's events may come to in one browser; past it the oldest are dropped. */
const MOST = { events: 200, characters: 128 * 1024, ms: 7 * 24 * 60 * 60_000 };
/** Of one call; browsers carry on with 64 KiB of calls in all when their page is closed. */
const BATCH = { events: 50, characters: 24 * 1024 };
/** An event of the last two seconds is sent by the page that captured it, which may be about to close. */
const OWN_MS = 2_000;
const GATHER_MS = 1_000;
/** The first wait after a failure; it doubles up to the longest. An event, or the network's return, asks at once. */
const RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 10 * 60_000;

/** A session that ended is not renewed for an event: nobody is asked for a password, and nothing waits for it. */
const call = createSend({
  token: (options) => session.token(options),
  recover: () => Promise.reject(new SessionEnded()),
});

const inFlight = new Set<string>();
/** The member whose switch is known to be on. */
let wanted: string | undefined;
let asked = false;
let retry: ReturnType<typeof setTimeout> | undefined;
let gathering: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

const memberNow = (): string | undefined => {
  const state = session.state.get();
  return state.status === 'signed-in' ? state.member.userId : undefined;
};

/** Sends what waits a second later, with what comes until then. */
export function sendSoon(): void {
  gathering ??= setTimeout(() => void sendKept(), GATHER_MS);
}

/**
 * Sends what waits of the signed-in member, the oldest first, until nothing is left. One tab of the browser sends at a
 * time; the next one finds what it has left. Only an answer takes an event out, so that a killed tab loses nothing: it
 * is sent again with the same id, which the service keeps once.
 */
async function sendKept(): Promise<void> {
  clearTimeout(gathering);
  gathering = undefined;
  if (declines()) return dropEvents();
  holdToBounds();
  if (asked) return;
  asked = true;
  const work = (): Promise<void> => sendAll().finally(() => (asked = false));
  // Without locks two tabs may send the same, which is kept once.
  await withPageLock('tally.events', work).catch(() => (asked = false));
}

/** Drops what is too old, too much, or of a member who is no longer here. */
function holdToBounds(): void {
  const state = session.state.get();
  if (!('member' in state)) return;
  const mine = new Set(keptKeys(state.member.userId));
  let [events, characters] = [0, 0];
  const excess = [...mine].toReversed().filter((key) => {
    events += 1;
    characters += readKept(key)?.length ?? 0;
    return events > MOST.events || characters > MOST.characters || Date.now() - timeOfKey(key) > MOST.ms;
  });
  dropEvents([...excess, ...keptKeys().filter((key) => !mine.has(key))]);
  // What another tab has sent.
  for (const key of ownKeys) if (!mine.has(key)) ownKeys.delete(key);
}

async function sendAll(): Promise<void> {
  for (let most = BATCH.events; ;) {
    const member = memberNow();
    if (member === undefined) return;
    const keys = keptKeys(member);
    const mine = keys.filter((key) => ownKeys.has(key) || Date.now() - timeOfKey(key) >= OWN_MS);
    const batch = nextBatch(mine, most);
    if (batch.size === 0) {
      // Another page's last events, should it not send them.
      if (keys.length > 0) sendIn(OWN_MS);
      return;
    }
    const outcome = await (isOff(member) ? 'unwanted' : wanted === member ? post(batch) : askSwitch(member));
    if (outcome === 'unwanted') return dropEvents();
    if (outcome === 'away') return;
    // What a batch is refused for stands in one of its events: the batch is halved until that one is alone.
    if (outcome === 'refused' && batch.size > 1) most = batch.size >> 1;
    else if (outcome !== 'wanted') {
      dropEvents([...batch.keys()]);
      // A storage that removes nothing has no event sent over and over.
      for (const key of batch.keys()) if (readKept(key) !== null) inFlight.add(key);
      most = Math.min(BATCH.events, most * 2);
    }
  }
}

/** The oldest of these events, as many as one call takes; what is no event is dropped. */
function nextBatch(keys: readonly string[], most: number): Map<string, KeptEvent> {
  const batch = new Map<string, KeptEvent>();
  let characters = 0;
  for (const key of keys) {
    const text = inFlight.has(key) ? null : readKept(key);
    if (text === null) continue;
    characters += text.length;
    if (batch.size === most || (characters > BATCH.characters && batch.size > 0)) break;
    try {
      batch.set(key, JSON.parse(text) as KeptEvent);
    } catch {
      dropEvents([key]);
    }
  }
  return batch;
}

type Outcome = 'taken' | 'refused' | 'away' | 'wanted' | 'unwanted';

/** Finds out, before the first event of a page, whether the member lets events be captured at all. */
async function askSwitch(member: string): Promise<Outcome> {
  try {
    const { enabled } = await (await call('GET /api/analytics/choice')).json();
    noteSwitch(member, enabled);
    wanted = enabled ? member : undefined;
    return enabled ? 'wanted' : 'unwanted';
  } catch (error) {
    return tryLater(error);
  }
}

async function post(batch: ReadonlyMap<string, KeptEvent>): Promise<Outcome> {
  const keys = [...batch.keys()];
  for (const key of keys) {
    inFlight.add(key);
    ownKeys.delete(key);
  }
  try {
    await call('POST /api/analytics/events', { body: { events: [...batch.values()] }, keepalive: true });
    failures = 0;
    return 'taken';
  } catch (error) {
    if (error instanceof ApiError && [400, 413].includes(error.status)) return 'refused';
    for (const key of keys) ownKeys.add(key);
    return tryLater(error);
  } finally {
    for (const key of keys) inFlight.delete(key);
  }
}

function tryLater(error: unknown): 'away' {
  const told = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  sendIn(Math.max(told, Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures)));
  failures += 1;
  return 'away';
}

function sendIn(milliseconds: number): void {
  clearTimeout(retry);
  retry = setTimeout(() => void sendKept(), milliseconds);
}

/** What this page has captured in its last moment goes at once, beside the lock: the page may not come back. */
function leave(): void {
  const member = memberNow();
  if (member === undefined || wanted !== member || isOff(member) || !navigator.onLine) return;
  const own = keptKeys(member).filter((key) => ownKeys.has(key));
  const batch = nextBatch(own, BATCH.events);
  if (batch.size > 0) void post(batch).then((outcome) => outcome === 'taken' && dropEvents([...batch.keys()]));
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) leave();
});
addEventListener('pagehide', leave);
addEventListener('online', () => void sendKept());
// The network's return, or a renewed session: what could not be sent goes now.
session.state.subscribe(() => {
  if (memberNow() !== undefined) void sendKept();
});

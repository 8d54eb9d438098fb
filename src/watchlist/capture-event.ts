import type { EventProperties } from '../analytics/contract.ts';
import type { Asked, Member, WatchlistDependencies } from './context.ts';
import type { ListState, WatchlistEvent } from './contract.ts';
import { captureProperties, watchlistEvents } from './contract.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { stateOf } from './list-watchlist.ts';
import { readList } from './queries.ts';

/** Captures what a member did with the list: the only way in which the server's side sends events. */
export function captureEvent({ deps, member }: Asked, event: WatchlistEvent, state: ListState, own: EventProperties = {}): void {
  deps.capture(member.idpId, event, captureProperties(state, own));
}

/** The same where the list's state has to be read first; for after the response. */
export async function captureWithState(asked: Asked, event: WatchlistEvent, own: EventProperties = {}): Promise<void> {
  const list = await readList(asked.sql, asked.member.idpId, '');
  if (list) captureEvent(asked, event, stateOf(list.head), own);
}

const EVENTS: ReadonlySet<string> = new Set(watchlistEvents);

/**
 * What is true of the watchlist's events that a browser sends, by name: the list's state as it is here. Where the rollout is off, or the
 * tier names no plan, the properties are taken away.
 */
export async function knownOf(deps: Pick<WatchlistDependencies, 'isOn' | 'database'>, member: Pick<Member, 'idpId' | 'sessionId'>, events: readonly string[]) {
  const own = events.filter((event) => EVENTS.has(event));
  if (own.length === 0) return new Map<string, Known>();
  const isOn = await deps.isOn(ROLLOUT_FLAG, member.idpId);
  const list = isOn ? await readList(deps.database.asMember({ sub: member.idpId, sid: member.sessionId }), member.idpId, '') : undefined;
  const known: Known = list ? captureProperties(stateOf(list.head), {}) : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(own.map((event) => [event, known]));
}

type Known = Readonly<Record<keyof ListState, string | number | undefined>>;

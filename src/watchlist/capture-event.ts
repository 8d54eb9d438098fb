import type { EventProperties } from '../analytics/contract.ts';
import type { Asked } from './context.ts';
import type { ListState, WatchlistEvent } from './contract.ts';
import { captureProperties } from './contract.ts';
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

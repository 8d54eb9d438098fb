import { shapeOf } from '../analytics/contract.ts';
import type { ReadingMember } from '../identity/member.ts';
import type { RequestContext, WatchlistDependencies } from './context.ts';
import { captureProperties, type ListState, type WatchlistEvent } from './contract.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { stateOf } from './list-watchlist.ts';
import { readList } from './queries.ts';

/**
 * Captures what a member did that changed nothing, with the list's state, which has to be read; for after the response.
 * What changes the list is reported by the change's own statement (`capture_watchlist_change`), in its transaction.
 */
export async function captureWithState({ deps, sql, member }: RequestContext, event: WatchlistEvent): Promise<void> {
  const list = await readList(sql, member.idpId, { rows: 'none' });
  if (list) deps.capture(member.idpId, event, captureProperties(stateOf(list.head), {}));
}

type Known = Readonly<Record<keyof ListState, string | number | undefined>>;

/**
 * What is true of the watchlist's events that a browser sends, by name: the list's state as it is here. Where the
 * rollout is off, the tier names no plan or nothing can be read now, the properties are taken away. Never throws: other
 * slices' events come in the same batch. No statement touches the watchlist where there is none of its events, or the
 * rollout is off.
 */
export async function knownOf(
  { isOn, database, logger }: Pick<WatchlistDependencies, 'isOn' | 'database' | 'logger'>,
  { idpId, sessionId }: Pick<ReadingMember, 'idpId' | 'sessionId'>,
  events: readonly string[],
): Promise<Map<string, Known>> {
  const own = events.filter((event) => shapeOf(event)?.area === 'watchlist');
  if (own.length === 0) return new Map();
  let list: Awaited<ReturnType<typeof readList>>;
  try {
    const sql = database.asMember({ sub: idpId, sid: sessionId });
    if (await isOn(ROLLOUT_FLAG, idpId)) list = await readList(sql, idpId, { rows: 'none' });
  } catch (error) {
    logger.warn({ err: error }, 'a list could not be read; its events go without its state');
  }
  const known: Known = list
    ? captureProperties(stateOf(list.head), {})
    : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(own.map((event) => [event, known]));
}

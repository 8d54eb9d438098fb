import type { OwnProperties } from '../analytics/contract.ts';
import type { RequestContext, Member, WatchlistDependencies } from './context.ts';
import { captureProperties, type ListState, type WatchlistEvent, watchlistEvents } from './contract.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { stateOf } from './list-watchlist.ts';
import { readList } from './queries.ts';

/**
 * Captures what a member did that changed nothing, with the list's state, which has to be read; for after the response.
 * What changes the list is reported by the change's own statement (`capture_watchlist_change`), in its transaction.
 */
export async function captureWithState<Name extends WatchlistEvent>(
  { deps, sql, member }: RequestContext,
  event: Name,
  own?: OwnProperties<Name>,
): Promise<void> {
  const list = await readList(sql, member.idpId, { rows: 'none' });
  if (list) deps.capture(member.idpId, event, captureProperties(stateOf(list.head), { ...own }));
}

const EVENTS: ReadonlySet<string> = new Set(watchlistEvents);

/**
 * What is true of the watchlist's events that a browser sends, by name: the list's state as it is here. Where the
 * rollout is off, the tier names no plan or nothing can be read now, the properties are taken away. Never throws: other
 * slices' events come in the same batch.
 */
export async function knownOf(
  deps: KnowingDependencies,
  member: Pick<Member, 'idpId' | 'sessionId'>,
  events: readonly string[],
): Promise<Map<string, Known>> {
  const own = events.filter((event) => EVENTS.has(event));
  if (own.length === 0) return new Map();
  const list = await readIfOn(deps, member).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'a list could not be read; its events go without its state');
    return undefined;
  });
  const known: Known = list
    ? captureProperties(stateOf(list.head), {})
    : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(own.map((event) => [event, known]));
}

async function readIfOn(
  deps: KnowingDependencies,
  { idpId, sessionId }: Pick<Member, 'idpId' | 'sessionId'>,
): ReturnType<typeof readList> {
  return (await deps.isOn(ROLLOUT_FLAG, idpId))
    ? readList(deps.database.asMember({ sub: idpId, sid: sessionId }), idpId, { rows: 'none' })
    : undefined;
}

type KnowingDependencies = Pick<WatchlistDependencies, 'isOn' | 'database' | 'logger'>;
type Known = Readonly<Record<keyof ListState, string | number | undefined>>;

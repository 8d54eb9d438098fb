import { type EventProperties, findEventShape } from '../../platform/analytics/contract.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ChangeContext, WatchlistDependencies } from './context.ts';
import { captureProperties, type ListState, type WatchlistEvent } from './contract.ts';
import { ROLLOUT_FLAG } from './rollout-gate.ts';
import { toListState } from './list-watchlist.ts';
import { readWithStaleTier, type TierContext } from './tier-fallback.ts';
import type { TierWithLimit } from './tier-cache.ts';
import { readListHead } from './queries.ts';

/** The list's state for an event: its length as it is, the plan of the last hour where today's cannot be read. */
const readState = async (context: TierContext): Promise<ListState | undefined> => {
  const { sql, member } = context;
  const list = await readWithStaleTier(context, (cachedPlan) => readListHead(sql, member.idpId, { cachedPlan }));
  return list && toListState(list.head);
};

/** Captures what a member did that changed nothing, with the list's state, which has to be read: after the response. */
export async function captureWithState(context: ChangeContext, event: WatchlistEvent): Promise<void> {
  const { deps, member, doNotTrack } = context;
  const state = await readState(context);
  if (state) deps.capture(member.idpId, event, captureProperties(state, {}), { declined: doNotTrack });
}

/** A change of the list: its event, the plan where it is known, and the list's length after it. */
interface ListChange {
  event: WatchlistEvent;
  eventProperties?: EventProperties;
  plan: TierWithLimit | undefined;
  itemCount: number;
}

/** Captures a change in its own transaction `tx`: there is an event if and only if there is its change. */
export async function captureChange(
  { deps, member, doNotTrack }: ChangeContext,
  tx: ServiceSql,
  { event, eventProperties = {}, plan, itemCount: item_count }: ListChange,
): Promise<void> {
  const properties = captureProperties(plan ? toListState({ ...plan, item_count }) : { item_count }, eventProperties);
  await deps.captureInTransaction(tx, member.idpId, [{ event, properties }], { declined: doNotTrack });
}

type EventContext = Readonly<Record<keyof ListState, string | number | undefined>>;

/**
 * What is true of the watchlist's events that a browser sends, by name: the list's state as it is here. Where the
 * rollout is off, the tier names no plan or nothing can be read now, the properties are taken away. Never throws: other
 * slices' events come in the same batch. No statement touches the watchlist where there is none of its events, or the
 * rollout is off.
 */
export async function getEventContext(
  context: TierContext & { deps: Pick<WatchlistDependencies, 'isOn' | 'logger'> },
  events: readonly string[],
): Promise<Map<string, EventContext>> {
  const watchlistEvents = events.filter((event) => findEventShape(event)?.area === 'watchlist');
  if (watchlistEvents.length === 0) return new Map();
  const { deps, member } = context;
  let state: ListState | undefined;
  try {
    if (await deps.isOn(ROLLOUT_FLAG, member.idpId)) state = await readState(context);
  } catch (error) {
    deps.logger.warn({ err: error }, 'a list could not be read; its events go without its state');
  }
  const eventContext: EventContext = state
    ? captureProperties(state, {})
    : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(watchlistEvents.map((event) => [event, eventContext]));
}

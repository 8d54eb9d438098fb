import { type EventProperties, findEventShape } from '../../platform/analytics/contract.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ChangeContext, WatchlistDependencies } from './context.ts';
import { captureProperties, type ListState, type WatchlistEvent } from './contract.ts';
import { ROLLOUT_FLAG } from './rollout-gate.ts';
import { toListState } from './list-watchlist.ts';
import { readWithStaleTier, type TierContext } from './tier-fallback.ts';
import type { TierWithLimit } from './tier-cache.ts';
import { readListHead } from './queries.ts';

/**
 * Reads the list state for an event: the current length, and the plan. If today's plan cannot be read, the plan of the
 * last hour is used.
 */
const readState = async (context: TierContext): Promise<ListState | undefined> => {
  const { sql, member } = context;
  const list = await readWithStaleTier(context, (cachedPlan) => readListHead(sql, member.idpId, { cachedPlan }));
  return list && toListState(list.head);
};

/**
 * Captures an event of a request that changed nothing, with the list state. Call after the response, because the state
 * must be read.
 */
export async function captureWithState(context: ChangeContext, event: WatchlistEvent): Promise<void> {
  const { deps, member, doNotTrack } = context;
  const state = await readState(context);
  if (state) deps.capture(member.idpId, event, captureProperties(state, {}), { declined: doNotTrack });
}

/** A change of the list: its event, the plan if available, and the list's length after the change. */
interface ListChange {
  event: WatchlistEvent;
  eventProperties?: EventProperties;
  plan: TierWithLimit | undefined;
  itemCount: number;
}

/** Captures a change in its transaction `tx`. The event exists if and only if the change does. */
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
 * Returns the verified list state for the watchlist events of a browser batch, by event name. If the rollout is off,
 * the tier is unknown or the read fails, the properties are removed. Never throws, because events of other features share
 * the batch. Queries no watchlist table if the batch has no watchlist event or the rollout is off.
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
    deps.logger.warn({ err: error }, 'watchlist unavailable; event sent without list state');
  }
  const eventContext: EventContext = state
    ? captureProperties(state, {})
    : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(watchlistEvents.map((event) => [event, eventContext]));
}

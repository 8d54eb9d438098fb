import { type EventProperties, shapeOf } from '../../platform/analytics/contract.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ChangeContext, WatchlistDependencies } from './context.ts';
import { captureProperties, type ListState, type WatchlistEvent } from './contract.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { stateOf } from './list-watchlist.ts';
import { readByTier, type TierContext } from './need-tier.ts';
import type { KnownTier } from './known-tiers.ts';
import { readListHead } from './queries.ts';

/** The list's state for an event: its length as it is, the plan of the last hour where today's cannot be read. */
const readState = async (context: TierContext): Promise<ListState | undefined> => {
  const { sql, member } = context;
  const list = await readByTier(context, (known) => readListHead(sql, member.idpId, { known }));
  return list && stateOf(list.head);
};

/** Captures what a member did that changed nothing, with the list's state, which has to be read: after the response. */
export async function captureWithState(context: ChangeContext, event: WatchlistEvent): Promise<void> {
  const { deps, member, declined } = context;
  const state = await readState(context);
  if (state) deps.capture(member.idpId, event, captureProperties(state, {}), { declined });
}

/** A change of the list: its event, the plan where it is known, and the list's length after it. */
interface ListChange {
  event: WatchlistEvent;
  own?: EventProperties;
  plan: KnownTier | undefined;
  itemCount: number;
}

/** Captures a change in its own transaction `tx`: there is an event if and only if there is its change. */
export async function captureChange(
  { deps, member, declined }: ChangeContext,
  tx: ServiceSql,
  { event, own = {}, plan, itemCount: item_count }: ListChange,
): Promise<void> {
  const properties = captureProperties(plan ? stateOf({ ...plan, item_count }) : { item_count }, own);
  await deps.captureIn(tx, member.idpId, [{ event, properties }], { declined });
}

type Known = Readonly<Record<keyof ListState, string | number | undefined>>;

/**
 * What is true of the watchlist's events that a browser sends, by name: the list's state as it is here. Where the
 * rollout is off, the tier names no plan or nothing can be read now, the properties are taken away. Never throws: other
 * slices' events come in the same batch. No statement touches the watchlist where there is none of its events, or the
 * rollout is off.
 */
export async function knownOf(
  context: TierContext & { deps: Pick<WatchlistDependencies, 'isOn' | 'logger'> },
  events: readonly string[],
): Promise<Map<string, Known>> {
  const own = events.filter((event) => shapeOf(event)?.area === 'watchlist');
  if (own.length === 0) return new Map();
  const { deps, member } = context;
  let state: ListState | undefined;
  try {
    if (await deps.isOn(ROLLOUT_FLAG, member.idpId)) state = await readState(context);
  } catch (error) {
    deps.logger.warn({ err: error }, 'a list could not be read; its events go without its state');
  }
  const known: Known = state
    ? captureProperties(state, {})
    : { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined };
  return new Map(own.map((event) => [event, known]));
}

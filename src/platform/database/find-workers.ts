import { MEMBER_TABLES, SERVICE_GROUP } from './distribute.ts';
import type { WithClient } from './replica.ts';
import { send } from './run-as.ts';

/** A worker of a Citus cluster. */
export interface Worker {
  /** Its address as in `pg_dist_node`, `host:port`. */
  name: string;
  host: string;
  port: number;
}

/** Selects the columns of `Worker` for each worker in use. */
export const LIST_WORKERS = `
  select format('%s:%s', nodename, nodeport) as name, nodename as host, nodeport as port
    from pg_dist_node where noderole = 'primary' and isactive and groupid > 0 order by 1`;

/**
 * Returns the names of the workers with rows of this member, first the one with the member's own tables. Empty if the
 * coordinator does not respond. Never rejects.
 */
export type FindWorkers = (idpId: string) => Promise<readonly string[]>;

/** Time in ms for which a result is cached. A rebalance may move the rows. */
const PLACEMENT_MS = 60_000;

/** Maximum number of cached results. */
const MAX_PLACEMENTS = 10_000;

/** Creates a look-up at the coordinator whose results are cached, except failures. */
export function createWorkerLookup(coordinator: WithClient): FindWorkers {
  const placements = new Map<string, { workers: Promise<readonly string[]>; until: number }>();
  return (idpId) => {
    const known = placements.get(idpId);
    if (known && performance.now() < known.until) return known.workers;
    placements.delete(idpId);
    const [oldest] = placements.keys();
    if (oldest !== undefined && placements.size >= MAX_PLACEMENTS) placements.delete(oldest);
    const workers = coordinator((client) => send(client, LIST_WORKERS_OF, [idpId, GROUPS])).then(
      ({ rows }) => [...new Set(rows.map(({ name }: { name: string }) => name))],
      () => {
        placements.delete(idpId);
        return [];
      },
    );
    placements.set(idpId, { workers, until: performance.now() + PLACEMENT_MS });
    return workers;
  };
}

/** A table of each colocation group, first that of the member's own tables. */
const GROUPS = [`public.${MEMBER_TABLES[0]}`, `public.${SERVICE_GROUP[0]}`];

const LIST_WORKERS_OF = `
  select format('%s:%s', n.nodename, n.nodeport) as name
    from unnest($2::text[]) with ordinality as g (name, number)
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(g.name::regclass, $1::text)
    join pg_dist_node n using (groupid) where n.noderole = 'primary' order by g.number`;

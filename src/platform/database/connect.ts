import type pg from 'pg';
import { isDatabaseOutage, isLostWorkerError } from './connection-loss.ts';
import { isDatabaseDiskFull } from './disk-full.ts';
import { CONNECT_TIMEOUT_MS, withClient, openPool } from './pool.ts';
import { transact, transactAs } from './transaction.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';
import type { MemberClaims, MemberSql, ServiceSql } from './roles.ts';
import { openReadOnly, type ReadOnly } from './read-only.ts';
import { type WithClient, openReplica, type Replica, type ReplicaState } from './replica.ts';
import { type ClusterOptions, openCluster, withoutCluster } from './open-cluster.ts';
import { type Identity, runAs, send } from './run-as.ts';
import { watchServer } from './server-watch.ts';
import type { WorkerState } from './worker-watch.ts';

export interface DatabaseUrls {
  /** Login that may only become `anon` or `authenticated`. */
  authenticator: string;
  /** Login whose sessions run as `service_role`. */
  service: string;
  /** Login that may only become `assistant`. Without it there is no `readOnly`. */
  assistant?: string | undefined;
  /** The service's login for the job worker, if it must bypass the pooler (default `service`). */
  worker?: string | undefined;
  /** The service's login on a standby, for reads of data that all members share. */
  replica?: string | undefined;
  /** The login `authenticator` on workers of a Citus cluster, for reads of members' rows. */
  readNodes?: readonly { name: string; url: string }[];
}

export interface ConnectOptions extends ClusterOptions {
  /** Connections for the service's statements (default 10). */
  serviceConnections?: number;
  /** Like `prepare`, for the standby (default `prepare`). */
  prepareOnReplica?: boolean | undefined;
  /** Maximum lag of the standby in ms for its reads to be used (default 10,000). */
  maxReplicaLagMs?: number;
  /** Called once when the connection to the primary is lost, and once when it is back. */
  onAvailabilityChange?: (isAvailable: boolean, reason?: string) => void;
  /** Called when reads move to the standby or back to the primary. */
  onReplicaStateChange?: (state: ReplicaState) => void;
}

export interface Database {
  /**
   * The member's rights under row-level security. With read nodes, a statement that only reads members' rows runs on the
   * member's worker. If that does not respond, it runs on another one, or on the coordinator if none responds. A
   * transaction always runs on the coordinator.
   */
  asMember(claims: MemberClaims): MemberSql;
  /** The service's rights on the primary. */
  readonly service: ServiceSql;
  /**
   * One transaction with two handles. `member` has the member's rights under row-level security, and `service` has the
   * service's. Used for a member's change with further writes of the service, and for writes of the service that may
   * wait for this member's lock: they use at most one member's share of the connections.
   */
  transactionAs<T>(
    claims: MemberClaims,
    work: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
  ): Promise<T>;
  /**
   * Reads of market data, which all members share. They run on the standby if it is up to date, else on the primary over
   * connections of their own (a bulkhead). If a locked or slow table blocks these connections, other statements still
   * get one.
   */
  readonly marketReads: ServiceSql;
  readonly replica: Replica | undefined;
  /** SELECTs from users, over connections of their own. Present if their login is set. */
  readonly readOnly: ReadOnly | undefined;
  /** Returns whether both logins respond and have their roles. Never throws, and takes at most a few seconds. */
  ping(): Promise<boolean>;
  /** Returns whether no statement failed with a full disk in the last minute. */
  hasDiskSpace(): boolean;
  /** Returns the state of each worker of a Citus cluster, checked just before. Empty on one server. Never rejects. */
  listWorkers(): Promise<readonly WorkerState[]>;
  /** Returns the state of each pool's connections. */
  pools(): { name: string; busy: number; idle: number; waiting: number }[];
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
  readonly urls: DatabaseUrls;
}

/** Number of connections, enough for two parallel list reads. A third waits for some ms. */
const MARKET_CONNECTIONS = 4;

/** Maximum connections of one member in a pool: enough for a page's parallel reads, but never all. */
const MAX_CONNECTIONS_PER_MEMBER = 4;

/** Creates the pools, which connect at the first statement. */
export function connectDatabase(urls: DatabaseUrls, options: ConnectOptions = {}): Database {
  let closing: Promise<void> | undefined;
  // Errors of idle connections are ignored while the database closes.
  const onError = (error: Error): void => {
    if (!closing) options.onError?.(error);
  };
  let diskFullUntil = 0;
  let isAvailable = true;
  let changedAt = 0;
  const setAvailable = (available: boolean, startedAt: number, reason?: string): void => {
    // Of concurrent calls at the end of an outage, some began too early and still fail.
    if (available === isAvailable || startedAt < changedAt || closing) return;
    isAvailable = available;
    changedAt = performance.now();
    options.onAvailabilityChange?.(available, reason);
  };
  const watch = watchServer(urls.service);
  /** Acquires connections of a pool of the primary and records outages and a full disk. */
  const acquireFrom = (pool: pg.Pool): WithClient => {
    const acquire = watch.guard((work) => withClient(pool, work));
    return async (work) => {
      const startedAt = performance.now();
      try {
        const result = await acquire(work);
        setAvailable(true, startedAt);
        return result;
      } catch (error) {
        if (isDatabaseDiskFull(error)) diskFullUntil = performance.now() + DISK_FULL_MS;
        if (isDatabaseOutage(error) && !isLostWorkerError(error))
          setAvailable(false, startedAt, describeOutage(error as Error));
        throw error;
      }
    };
  };
  const members = openPool(urls.authenticator, options.memberConnections, { ...options, onError });
  const services = openPool(urls.service, options.serviceConnections, { ...options, onError });
  const market = openPool(urls.service, MARKET_CONNECTIONS, { ...options, onError });
  const acquireService = acquireFrom(services);
  const service = createServiceSql(acquireService);
  const replicas =
    urls.replica === undefined
      ? undefined
      : openPool(urls.replica, options.serviceConnections, {
          ...options,
          ...REPLICA_TIMEOUTS,
          onError,
          prepare: options.prepareOnReplica ?? options.prepare ?? true,
        });
  const replica =
    replicas &&
    openReplica({
      replica: (work) => withClient(replicas, work),
      primary: acquireService,
      maxLagMs: options.maxReplicaLagMs ?? 10_000,
      onChange: options.onReplicaStateChange ?? (() => {}),
    });
  const acquireMarket = acquireFrom(market);
  const marketSql = createServiceSql(acquireMarket);
  const readOnly =
    urls.assistant === undefined ? undefined : openReadOnly(urls.assistant, acquireFrom, { ...options, onError });
  const queueTimeoutMs = 3 * (options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const memberSemaphore = createKeyedSemaphore(MAX_CONNECTIONS_PER_MEMBER, queueTimeoutMs);
  const serviceSemaphore = createKeyedSemaphore(MAX_CONNECTIONS_PER_MEMBER, queueTimeoutMs);
  const acquireMember = acquireFrom(members);
  const cluster = options.distributed
    ? openCluster(urls, { ...options, onError }, acquireMember, acquireFrom)
    : withoutCluster(acquireMember);
  const acquireServiceFor = (idpId: string): WithClient =>
    cluster.guardMember(idpId, (work) => serviceSemaphore(idpId, () => acquireService(work)));
  const asMember = (claims: MemberClaims): MemberSql => {
    const identity = toIdentity(claims);
    const limit = (acquire: WithClient): WithClient =>
      cluster.guardMember(claims.sub, (work) => memberSemaphore(claims.sub, () => acquire(work)));
    const member: MemberSql = {
      privilege: 'member',
      idpId: claims.sub,
      query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
        (await limit(cluster.acquireForStatement(claims.sub, text))((client) => runAs(client, identity, text, values)))
          .rows as Row[],
      transaction: (work) => limit(acquireMember)((client) => transact(client, identity, member, work)),
    };
    return member;
  };

  const pools = { members, services, market, ...(replicas && { replicas }), ...cluster.pools };
  return {
    urls,
    service,
    transactionAs: (claims, work) =>
      acquireServiceFor(claims.sub)((client) => transactAs(client, toIdentity(claims), service, work)),
    marketReads: replica ? { ...marketSql, query: createServiceSql(replica.read(acquireMarket)).query } : marketSql,
    replica,
    readOnly,
    asMember,
    listWorkers: cluster.listWorkers,
    async ping() {
      const probe = "select current_user = 'service_role' and pg_has_role($1, 'authenticated', 'member') as ready";
      try {
        const login = await acquireMember((client) => send(client, 'select session_user as name'));
        const [row] = await service.query<{ ready: boolean }>(probe, [login.rows[0]?.name]);
        return row?.ready === true;
      } catch {
        return false;
      }
    },
    hasDiskSpace: () => performance.now() >= diskFullUntil,
    pools: () =>
      Object.entries(pools).map(([name, { totalCount, idleCount, waitingCount }]) => ({
        name,
        busy: totalCount - idleCount,
        idle: idleCount,
        waiting: waitingCount,
      })),
    close: () => {
      watch.close();
      closing ??= Promise.all([...Object.values(pools), readOnly].map(async (pool) => pool?.end())).then(() => {});
      return closing;
    },
  };
}

const describeOutage = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

/** The database counts as full for this time after a statement failed for it, since jobs write each minute. */
const DISK_FULL_MS = 60_000;

/** Timeouts in ms after which a standby is skipped, so that it cannot delay a response. */
const REPLICA_TIMEOUTS = { connectTimeoutMs: 500, queryTimeoutMs: 800 };

const toIdentity = ({ sub, sid }: MemberClaims): Identity => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub, ...(sid && { sid }), role: 'authenticated' }),
  member: sub,
});

function createServiceSql(acquire: WithClient): ServiceSql {
  const service: ServiceSql = {
    privilege: 'service',
    // The login's default role is service_role, so a single statement needs no transaction.
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await acquire((client) => send(client, text, values))).rows as Row[],
    transaction: (work) => acquire((client) => transact(client, null, service, work)),
  };
  return service;
}

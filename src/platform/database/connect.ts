import type pg from 'pg';
import { CONNECT_TIMEOUT_MS, withClient, openPool, type PoolOptions } from './pool.ts';
import { transact, transactAs } from './transaction.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';
import type { MemberClaims, MemberSql, ServiceSql } from './roles.ts';
import { openReadOnly, type ReadOnly } from './read-only.ts';
import { type WithClient, openReplica, type Replica, type ReplicaState } from './replica.ts';
import { type Identity, runAs, send } from './run-as.ts';

export interface DatabaseUrls {
  /** Login that may only become `anon` or `authenticated`. */
  authenticator: string;
  /** Login whose sessions run as `service_role`. */
  service: string;
  /** Login that may only become `assistant`; without it there is no `readOnly`. */
  assistant?: string | undefined;
  /** The service's login for the job worker, where it does not lead through the same pooler (default `service`). */
  worker?: string | undefined;
  /** The service's login on a standby, for reads of what all members share. */
  replica?: string | undefined;
}

export interface ConnectOptions extends Pick<
  PoolOptions,
  'connectTimeoutMs' | 'requestTimeoutMs' | 'prepare' | 'distributed' | 'onError'
> {
  /** Connections for members' statements (default 10). */
  memberConnections?: number;
  /** Connections for the service's statements (default 10). */
  serviceConnections?: number;
  /** The same as `prepare`, for the standby (default `prepare`). */
  prepareOnReplica?: boolean | undefined;
  /** Milliseconds that the standby may be behind for its reads to count (default 10,000). */
  maxReplicaLagMs?: number;
  /** Told when reads go to the standby, and when no longer. */
  onReplicaStateChange?: (state: ReplicaState) => void;
}

export interface Database {
  asMember(claims: MemberClaims): MemberSql;
  readonly service: ServiceSql;
  /** The service's rights for what waits for this member's lock: at most one member's share of its connections. */
  serviceForMember(idpId: string): ServiceSql;
  /**
   * One transaction with two handles: `member` has the member's rights under row-level security, `service` the
   * service's. For a member's own change that the service writes something beside.
   */
  transactionAs<T>(
    claims: MemberClaims,
    work: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
  ): Promise<T>;
  /**
   * The service's rights over connections of its own (a bulkhead), for reads that an answer can go without: while a
   * locked or slow table holds these, everything else still finds a connection.
   */
  readonly bestEffortReads: ServiceSql;
  /**
   * For statements that only read market data, which all members share: on the standby where there is one that is up to
   * date, else like `service`; `optional` reads there too. Members' own rows are read by the other handles.
   */
  readonly replicaReads: ServiceSql;
  readonly replica: Replica | undefined;
  /** SELECTs that the service did not write, over connections of their own; where the login for them is set. */
  readonly readOnly: ReadOnly | undefined;
  /** Whether both logins answer and have their roles; never throws, at most a few seconds. */
  ping(): Promise<boolean>;
  /** Whether no statement has met a full disk (SQLSTATE 53100) in the last minute. */
  hasDiskSpace(): boolean;
  /** What each pool's connections do at this moment. */
  pools(): { name: string; busy: number; idle: number; waiting: number }[];
  /** Lets statements under way finish, then closes every connection. */
  close(): Promise<void>;
  readonly urls: DatabaseUrls;
}

/** Two lists at once read over four; a third waits for milliseconds. */
const BEST_EFFORT_CONNECTIONS = 4;

/** Connections of a pool that one member may have at a time: enough for a page's parallel reads, never all. */
const MAX_CONNECTIONS_PER_MEMBER = 4;

/** Opens the pools lazily: the first statement connects. */
export function connectDatabase(urls: DatabaseUrls, options: ConnectOptions = {}): Database {
  let closing: Promise<void> | undefined;
  // A server that stops while idle connections say goodbye is no news.
  const onError = (error: Error): void => void (closing ?? options.onError?.(error));
  let diskFullUntil = 0;
  const withDiskMonitoring: typeof withClient = (pool, work) =>
    withClient(pool, work).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === DISK_FULL) diskFullUntil = performance.now() + DISK_FULL_MS;
      throw error;
    });
  const members = openPool(urls.authenticator, options.memberConnections, { ...options, onError });
  const services = openPool(urls.service, options.serviceConnections, { ...options, onError });
  const optionals = openPool(urls.service, BEST_EFFORT_CONNECTIONS, { ...options, onError });
  const service = createServiceSql((work) => withDiskMonitoring(services, work));
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
      replica: (work) => withDiskMonitoring(replicas, work),
      primary: (work) => withDiskMonitoring(services, work),
      maxLagMs: options.maxReplicaLagMs ?? 10_000,
      onChange: options.onReplicaStateChange ?? (() => {}),
    });
  const createReadSql = (pool: pg.Pool): ServiceSql => {
    const borrowClient: WithClient = (work) => withDiskMonitoring(pool, work);
    return replica
      ? { ...createServiceSql(borrowClient), query: createServiceSql(replica.read(borrowClient)).query }
      : createServiceSql(borrowClient);
  };
  const readOnly = urls.assistant === undefined ? undefined : openReadOnly(urls.assistant, { ...options, onError });
  const queueTimeoutMs = 3 * (options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const memberSemaphore = createKeyedSemaphore(MAX_CONNECTIONS_PER_MEMBER, queueTimeoutMs);
  const serviceSemaphore = createKeyedSemaphore(MAX_CONNECTIONS_PER_MEMBER, queueTimeoutMs);
  const serviceForMember = (idpId: string) =>
    createServiceSql((work) => serviceSemaphore(idpId, () => withDiskMonitoring(services, work)));

  return {
    urls,
    service,
    serviceForMember,
    transactionAs: (claims, work) => {
      const borrowClient: WithClient = (callback) =>
        serviceSemaphore(claims.sub, () => withDiskMonitoring(services, callback));
      return borrowClient((client) => transactAs(client, toIdentity(claims), createServiceSql(borrowClient), work));
    },
    bestEffortReads: createReadSql(optionals),
    replicaReads: createReadSql(services),
    replica,
    readOnly,
    asMember(claims) {
      const identity = toIdentity(claims);
      const borrowClient: WithClient = (work) => memberSemaphore(claims.sub, () => withDiskMonitoring(members, work));
      const member: MemberSql = {
        privilege: 'member',
        query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
          (await borrowClient((client) => runAs(client, identity, text, values))).rows as Row[],
        transaction: (work) => borrowClient((client) => transact(client, identity, member, work)),
      };
      return member;
    },
    async ping() {
      const probe = "select current_user = 'service_role' and pg_has_role($1, 'authenticated', 'member') as ready";
      try {
        const login = await withDiskMonitoring(members, (client) => send(client, 'select session_user as name'));
        const [row] = await service.query<{ ready: boolean }>(probe, [login.rows[0]?.name]);
        return row?.ready === true;
      } catch {
        return false;
      }
    },
    hasDiskSpace: () => performance.now() >= diskFullUntil,
    pools: () =>
      Object.entries({ members, services, optionals, ...(replicas && { replicas }) }).map(
        ([name, { totalCount, idleCount, waitingCount }]) => ({
          ...{ name, busy: totalCount - idleCount },
          ...{ idle: idleCount, waiting: waitingCount },
        }),
      ),
    close: () =>
      (closing ??= Promise.all(
        [members, services, optionals, replicas, readOnly].map(async (pool) => pool?.end()),
      ).then(() => {})),
  };
}

/** The SQLSTATE of a full disk, and how long after the last one the database counts as full: jobs write each minute. */
const DISK_FULL = '53100';
const DISK_FULL_MS = 60_000;

/** A standby that does not answer by then is passed over: an answer must not wait for it. */
const REPLICA_TIMEOUTS = { connectTimeoutMs: 500, queryTimeoutMs: 800 };

const toIdentity = ({ sub, sid }: MemberClaims): Identity => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub, ...(sid && { sid }), role: 'authenticated' }),
  member: sub,
});

function createServiceSql(borrowClient: WithClient): ServiceSql {
  const service: ServiceSql = {
    privilege: 'service',
    // The login's default role is service_role, so a lone statement needs no transaction around it.
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await borrowClient((client) => send(client, text, values))).rows as Row[],
    transaction: (work) => borrowClient((client) => transact(client, null, service, work)),
  };
  return service;
}

import pg from 'pg';
import { Failure } from '../errors.ts';
import { keepPrepared } from './prepared.ts';
import { transact } from './transaction.ts';
import { createLimitPerKey } from './limit-per-key.ts';
import type { MemberClaims, MemberSql, ServiceSql } from './roles.ts';
import { openReadOnly, type ReadOnly } from './read-only.ts';
import { type Lend, openReplica, type Replica, type ReplicaState } from './replica.ts';
import { type Identity, passIdentityOn, runAs, send } from './run-as.ts';

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

interface ConnectOptions {
  /** Connections for members' statements (default 10). */
  memberConnections?: number;
  /** Connections for the service's statements (default 10). */
  serviceConnections?: number;
  /** Milliseconds to wait for a connection (default 5000); three times as long for one of a member's own share. */
  connectTimeout?: number;
  /** Whether connections keep their statements prepared (default); not through a transaction pooler. */
  prepare?: boolean;
  /** Milliseconds that the standby may be behind for its reads to count (default 10,000). */
  replicaLag?: number;
  /** Told when reads go to the standby, and when no longer. */
  onReplica?: (state: ReplicaState) => void;
  /** Whether the server spreads members' rows over others (Citus), which must learn who the member is. */
  distributed?: boolean;
  /** Told of a connection that broke outside a statement, such as a server restart; the pool replaces it. */
  onError?: (error: Error) => void;
}

export interface Database {
  asMember(claims: MemberClaims): MemberSql;
  readonly service: ServiceSql;
  /** The service's rights for what waits for this member's lock: at most one member's share of its connections. */
  serviceFor(idpId: string): ServiceSql;
  /**
   * The service's rights over connections of its own (a bulkhead), for reads that an answer can go without: while a
   * locked or slow table holds these, everything else still finds a connection.
   */
  readonly optional: ServiceSql;
  /**
   * For statements that only read market data, which all members share: on the standby where there is one that is up to
   * date, else like `service`; `optional` reads there too. Members' own rows are read by the other handles.
   */
  readonly shared: ServiceSql;
  readonly replica: Replica | undefined;
  /** SELECTs that the service did not write, over connections of their own; where the login for them is set. */
  readonly readOnly: ReadOnly | undefined;
  /** Whether both logins answer and have their roles; never throws, at most a few seconds. */
  ping(): Promise<boolean>;
  /** Whether no statement has met a full disk (SQLSTATE 53100) in the last minute. */
  hasRoom(): boolean;
  /** What each pool's connections do at this moment. */
  pools(): { name: string; busy: number; idle: number; waiting: number }[];
  /** Lets statements under way finish, then closes every connection. */
  close(): Promise<void>;
  readonly urls: DatabaseUrls;
}

const CONNECT_TIMEOUT = 5_000;

/** Two lists at once read over four; a third waits for milliseconds. */
const OPTIONAL_CONNECTIONS = 4;

/** Connections of a pool that one member may have at a time: enough for a page's parallel reads, never all. */
const MEMBER_SHARE = 4;

/** Opens the pools lazily: the first statement connects. */
export function connectDatabase(urls: DatabaseUrls, options: ConnectOptions = {}): Database {
  let closing: Promise<void> | undefined;
  // A server that stops while idle connections say goodbye is no news.
  const onError = (error: Error): void => void (closing ?? options.onError?.(error));
  let fullUntil = 0;
  const withClient: typeof lendClient = (pool, work) =>
    lendClient(pool, work).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === DISK_FULL) fullUntil = performance.now() + FULL_MS;
      throw error;
    });
  const members = openPool(urls.authenticator, options.memberConnections, { ...options, onError });
  const services = openPool(urls.service, options.serviceConnections, { ...options, onError });
  const optionals = openPool(urls.service, OPTIONAL_CONNECTIONS, { ...options, onError });
  const distributed = options.distributed ?? false;
  const serviceOver = (lend: Lend) => openService(lend, distributed);
  const service = serviceOver((work) => withClient(services, work));
  const replicas =
    urls.replica === undefined
      ? undefined
      : openPool(urls.replica, options.serviceConnections, { ...options, ...IMPATIENT, onError });
  const replica =
    replicas &&
    openReplica({
      replica: (work) => withClient(replicas, work),
      primary: (work) => withClient(services, work),
      maxLag: options.replicaLag ?? 10_000,
      onChange: options.onReplica ?? (() => {}),
    });
  const reading = (pool: pg.Pool): ServiceSql => {
    const lend: Lend = (work) => withClient(pool, work);
    return replica ? { ...serviceOver(lend), query: serviceOver(replica.read(lend)).query } : serviceOver(lend);
  };
  const readOnly = urls.assistant === undefined ? undefined : openReadOnly(urls.assistant, { ...options, onError });
  const timeout = 3 * (options.connectTimeout ?? CONNECT_TIMEOUT);
  const memberLimit = createLimitPerKey(MEMBER_SHARE, timeout);
  const serviceLimit = createLimitPerKey(MEMBER_SHARE, timeout);

  return {
    urls,
    service,
    serviceFor: (idpId) => serviceOver((work) => serviceLimit(idpId, () => withClient(services, work))),
    optional: reading(optionals),
    shared: reading(services),
    replica,
    readOnly,
    asMember({ sub, sid }) {
      const identity: Identity = {
        role: 'authenticated',
        claims: JSON.stringify({ sub, ...(sid && { sid }), role: 'authenticated' }),
        member: sub,
      };
      const lend: Lend = (work) => memberLimit(sub, () => withClient(members, work));
      const member: MemberSql = {
        ...{ power: 'member', distributed },
        query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
          (await lend((client) => runAs(client, identity, text, values))).rows as Row[],
        transaction: (work) => lend((client) => transact(client, identity, member, work)),
      };
      return member;
    },
    async ping() {
      const probe = "select current_user = 'service_role' and pg_has_role($1, 'authenticated', 'member') as ready";
      try {
        const login = await withClient(members, (client) => send(client, 'select session_user as name'));
        const [row] = await service.query<{ ready: boolean }>(probe, [login.rows[0]?.name]);
        return row?.ready === true;
      } catch {
        return false;
      }
    },
    hasRoom: () => performance.now() >= fullUntil,
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
const FULL_MS = 60_000;

/** A standby that does not answer by then is passed over: an answer must not wait for it. */
const IMPATIENT = { connectTimeout: 500, queryTimeout: 800 };

function openService(lend: Lend, distributed: boolean): ServiceSql {
  const service: ServiceSql = {
    ...{ power: 'service', distributed },
    // The login's default role is service_role, so a lone statement needs no transaction around it.
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await lend((client) => send(client, text, values))).rows as Row[],
    transaction: (work) => lend((client) => transact(client, null, service, work)),
  };
  return service;
}

function openPool(
  connectionString: string,
  max = 10,
  {
    connectTimeout = CONNECT_TIMEOUT,
    queryTimeout,
    prepare = true,
    distributed = false,
    onError = () => {},
  }: ConnectOptions & {
    queryTimeout?: number;
  },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    connectionTimeoutMillis: connectTimeout,
    ...(queryTimeout && { query_timeout: queryTimeout }),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'tally',
  });
  pool.on('error', onError);
  // A connection that breaks while it is lent out reports on the client; unheard it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      broken.add(client);
      onError(error);
    });
    if (prepare) keepPrepared(client);
    if (distributed) passIdentityOn(client);
  });
  return pool;
}

/** Connections that ended by themselves. */
const broken = new WeakSet<pg.ClientBase>();

/** What a server or a pooler says last, such as a pooler whose server is away; its connection ends with it. */
const endsConnection = (error: unknown): boolean => (error as { severity?: unknown } | null)?.severity === 'FATAL';

/**
 * Lends a connection; one that is not back in its idle state is thrown away, so nothing can leak to the next borrower.
 * Throws UNAVAILABLE where there is none to be had, all being busy or the database away, and where it broke meanwhile:
 * what was under way may or may not have been done then.
 */
async function lendClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: Error) => {
    throw new Failure('UNAVAILABLE', { retryAfter: 2, cause: error });
  });
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Failure || !(broken.has(client) || endsConnection(error))) throw error;
    throw new Failure('UNAVAILABLE', { retryAfter: 2, cause: error as Error });
  } finally {
    client.release((client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() !== 'I');
  }
}

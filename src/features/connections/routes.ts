import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import { route } from '../../platform/http/route.ts';
import { withTimeout } from '../../platform/http/with-timeout.ts';
import { parseIdParam, type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { listAllowedOrigins } from '../../platform/identity/origins.ts';
import type { RedirectParams } from './aggregator.ts';
import { type ConnectionContext, PENDING } from './context.ts';
import { type Connection, type ConnectionList, type RedirectQuery, routes } from './contract.ts';
import { finishAttempt } from './finish-attempt.ts';
import { type ConnectionRow, findConnection, listConnections } from './queries.ts';
import { REFRESH_INTERVAL_SECONDS, refreshConnection } from './refresh-connection.ts';
import { removeConnection } from './remove-connection.ts';
import { CONNECTION_LIMIT, startAttempt } from './start-attempt.ts';
import type { SyncResult } from './sync-connection.ts';

interface ConnectionRouteDependencies extends MemberAccess {
  context: ConnectionContext;
  baseUrl: string;
  /** Time in ms after which an unfinished attempt or refresh is returned as pending (default 8 s). */
  finishTimeoutMs?: number | undefined;
  /** Called with work that continues after its response. */
  onPendingWork(work: Promise<unknown>): void;
}

const NOT_FOUND_MESSAGE = 'You have no connection with this id.';
const TOO_SOON_MESSAGE = 'This connection was refreshed less than a minute ago; wait for the time in retry-after.';
const FINISH_TIMEOUT_MS = 8_000;

/** Adds `/api/connections`: the member's connections, and attempts to create another one. */
export async function addConnectionRoutes(app: HttpApp, deps: ConnectionRouteDependencies): Promise<void> {
  const { context, guards, asMember, baseUrl, finishTimeoutMs = FINISH_TIMEOUT_MS } = deps;
  const origins = listAllowedOrigins(baseUrl);

  await app.register(async (scope) => {
    guardRoutes(scope, {
      reads: guards.member,
      writes: guards.editor({ rejects: ['demo-account', 'demo-tour', 'sample-user'] }),
    });

    route(scope, routes.listConnections, async (request, reply) => {
      const rows = await listConnections(asMember(guards.getMember(request)));
      reply.headers(PRIVATE_CACHE_CONTROL);
      return toConnectionList(rows);
    });

    route(scope, routes.listConnectionOffers, async () => ({
      offers: context.aggregators.map(({ kind, isSandbox }) => ({ kind, sandbox: isSandbox })),
    }));

    route(scope, routes.startConnection, async (request, reply) => {
      const { idpId } = guards.getMember(request);
      const { kind, repair } = request.body;
      const { origin: requestOrigin } = request.headers;
      // Loopback addresses keep their spelling, since the session cookie depends on it.
      const origin =
        requestOrigin !== undefined && origins.has(requestOrigin) ? requestOrigin : new URL(baseUrl).origin;
      const started = await startAttempt(context, { idpId, kind, repairConnectionId: repair, origin, baseUrl });
      if (started.ok) {
        reply.code(201).header('cache-control', 'no-store');
        return { attempt_id: started.attemptId, url: started.url };
      }
      switch (started.reason) {
        case 'not_configured':
          throw new AppError('NOT_CONFIGURED', {
            message: `No ${kind} can be connected on this deployment.`,
            retryAfter: 3_600,
          });
        case 'not_found':
          throw new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE });
        case 'limit_reached':
          throw new AppError('LIMIT_REACHED', {
            message: `You have ${CONNECTION_LIMIT} connections of this kind, the most there can be.`,
            body: { limit: CONNECTION_LIMIT },
          });
        case 'unavailable':
          throw new AppError('UNAVAILABLE', {
            message: 'Accounts cannot be connected right now; try again later.',
            retryAfter: started.retryAfter ?? 30,
          });
      }
    });

    route(scope, routes.finishConnection, async (request, reply) => {
      const member = guards.getMember(request);
      const { attempt_id: id, returned } = request.body;
      const work = finishAttempt(context, {
        idpId: member.idpId,
        id,
        redirectParams: returned && toRedirectParams(returned),
      });
      deps.onPendingWork(work);
      const result = await withTimeout(finishTimeoutMs, work, () => PENDING);
      if (!result) throw new AppError('NOT_FOUND', { message: 'You have no such attempt.' });
      const { status, connectionId, code } = result;
      const row = connectionId === undefined ? undefined : await findConnection(asMember(member), connectionId);
      reply.header('cache-control', 'no-store');
      return { status, ...(row && { connection: toConnectionResponse(row) }), ...(code !== undefined && { code }) };
    });

    route(scope, routes.refreshConnection, async (request, reply) => {
      const member = guards.getMember(request);
      const id = parseIdParam(request.params, NOT_FOUND_MESSAGE);
      const refresh = await refreshConnection(context, member.idpId, id);
      if (!refresh.ok)
        throw refresh.reason === 'not_found'
          ? new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE })
          : new AppError('RATE_LIMITED', { message: TOO_SOON_MESSAGE, retryAfter: refresh.retryAfter });
      deps.onPendingWork(refresh.reading);
      const result = await withTimeout(finishTimeoutMs, refresh.reading, () => ({ outcome: 'pending' }) as const);
      const row = await findConnection(asMember(member), id);
      if (!row) throw new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE });
      reply.header('cache-control', 'no-store');
      return { status: toRefreshStatus(result, row), connection: toConnectionResponse(row) };
    });

    route(scope, routes.removeConnection, async (request, reply) => {
      const { idpId } = guards.getMember(request);
      if (!(await removeConnection(context, idpId, parseIdParam(request.params, NOT_FOUND_MESSAGE))))
        throw new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE });
      return reply.code(204).send();
    });
  });
}

/** Returns the status of a refresh. Throws if the aggregator is not configured or did not answer. */
function toRefreshStatus(
  result: SyncResult | { outcome: 'pending' },
  { kind, institution }: ConnectionRow,
): 'updated' | 'incomplete' | 'pending' | 'sign_in_needed' {
  switch (result.outcome) {
    case 'updated':
    case 'incomplete':
      return result.outcome;
    case 'pending':
    case 'populating':
      return 'pending';
    case 'login_required':
    case 'revoked':
      return 'sign_in_needed';
    case 'unavailable':
      throw new AppError('UNAVAILABLE', {
        message: `${institution} cannot be read right now. Its last figures are kept.`,
        retryAfter: REFRESH_INTERVAL_SECONDS,
      });
    case 'gone':
      throw new AppError('NOT_CONFIGURED', {
        message: `No ${kind} can be read on this deployment.`,
        retryAfter: 3_600,
      });
  }
}

const REDIRECT_STATUS = { SUCCESS: 'succeeded', ABANDONED: 'abandoned', ERROR: 'failed' } as const;

const toRedirectParams = ({ status, connection_id: externalId, error_code: code }: RedirectQuery): RedirectParams => ({
  status: REDIRECT_STATUS[status],
  ...(status === 'SUCCESS' && { externalId }),
  ...(status === 'ERROR' && { code }),
});

export const toConnectionList = (rows: readonly ConnectionRow[]): ConnectionList => ({
  connections: rows.map(toConnectionResponse),
});

const toConnectionResponse = (row: ConnectionRow): Connection => ({
  ...row,
  connected_at: row.connected_at.toISOString(),
  synced_at: row.synced_at?.toISOString() ?? null,
});

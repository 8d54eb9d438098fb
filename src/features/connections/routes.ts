import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import { route } from '../../platform/http/route.ts';
import { within } from '../../platform/http/within.ts';
import { idFrom, type MemberAccess, OWN_READ } from '../../platform/identity/member-access.ts';
import { allowedOrigins } from '../../platform/identity/origins.ts';
import type { Returned } from './aggregator.ts';
import { type ConnectionContext, PENDING } from './context.ts';
import { type Connection, type ReturnedQuery, routes } from './contract.ts';
import { finishAttempt } from './finish-attempt.ts';
import { type ConnectionRow, findConnection, listConnections } from './queries.ts';
import { removeConnection } from './remove-connection.ts';
import { CONNECTION_LIMIT, startAttempt } from './start-attempt.ts';

interface ConnectionRouteDependencies extends MemberAccess {
  ctx: ConnectionContext;
  baseUrl: string;
  /** Milliseconds after which an attempt that goes on is answered as pending (default 8 s). */
  finishWithin?: number | undefined;
  /** Told of work that outlasts its answer. */
  onGoing(work: Promise<unknown>): void;
}

const MISSING = 'You have no connection with this id.';
const FINISH_WITHIN_MS = 8_000;

/** `/api/connections`: what a member has connected, and the way to another one. */
export async function addConnectionRoutes(app: HttpApp, deps: ConnectionRouteDependencies): Promise<void> {
  const { ctx, guards, asMember, baseUrl, finishWithin = FINISH_WITHIN_MS } = deps;
  const origins = allowedOrigins(baseUrl);

  await app.register(async (scope) => {
    guardRoutes(scope, {
      reads: guards.member,
      writes: guards.editor({ refuses: ['demo-account', 'demo-tour', 'sample-user'] }),
    });

    route(scope, routes.listConnections, async (request, reply) => {
      const rows = await listConnections(asMember(guards.memberOf(request)));
      reply.headers(OWN_READ);
      return { connections: rows.map(presentConnection) };
    });

    route(scope, routes.listConnectionOffers, async () => ({
      offers: ctx.aggregators.map(({ kind, isSandbox }) => ({ kind, sandbox: isSandbox })),
    }));

    route(scope, routes.startConnection, async (request, reply) => {
      const { idpId } = guards.memberOf(request);
      const { kind, repair } = request.body;
      const { origin: sent } = request.headers;
      // Beside a loopback address the browser keeps its own spelling, with which its session goes along.
      const origin = sent !== undefined && origins.has(sent) ? sent : new URL(baseUrl).origin;
      const started = await startAttempt(ctx, { idpId, kind, repair, origin, baseUrl });
      if (started.ok) {
        reply.code(201).header('cache-control', 'no-store');
        return { attempt_id: started.attemptId, url: started.url };
      }
      switch (started.reason) {
        case 'not_configured':
          throw new Failure('NOT_CONFIGURED', {
            message: `No ${kind} can be connected on this deployment.`,
            retryAfter: 3_600,
          });
        case 'not_found':
          throw new Failure('NOT_FOUND', { message: MISSING });
        case 'limit_reached':
          throw new Failure('LIMIT_REACHED', {
            message: `You have ${CONNECTION_LIMIT} connections of this kind, the most there can be.`,
            body: { limit: CONNECTION_LIMIT },
          });
        case 'unavailable':
          throw new Failure('UNAVAILABLE', {
            message: 'Accounts cannot be connected right now; try again later.',
            retryAfter: started.retryAfter ?? 30,
          });
      }
    });

    route(scope, routes.finishConnection, async (request, reply) => {
      const member = guards.memberOf(request);
      const { attempt_id: id, returned } = request.body;
      const work = finishAttempt(ctx, { idpId: member.idpId, id, returned: returned && readReturned(returned) });
      deps.onGoing(work);
      const result = await within(finishWithin, work, () => PENDING);
      if (!result) throw new Failure('NOT_FOUND', { message: 'You have no such attempt.' });
      const { status, connectionId, code } = result;
      const row = connectionId === undefined ? undefined : await findConnection(asMember(member), connectionId);
      reply.header('cache-control', 'no-store');
      return { status, ...(row && { connection: presentConnection(row) }), ...(code !== undefined && { code }) };
    });

    route(scope, routes.removeConnection, async (request, reply) => {
      const { idpId } = guards.memberOf(request);
      if (!(await removeConnection(ctx, idpId, idFrom(request.params, MISSING))))
        throw new Failure('NOT_FOUND', { message: MISSING });
      return reply.code(204).send();
    });
  });
}

const RETURNED = { SUCCESS: 'succeeded', ABANDONED: 'abandoned', ERROR: 'failed' } as const;

const readReturned = ({ status, connection_id: externalId, error_code: code }: ReturnedQuery): Returned => ({
  status: RETURNED[status],
  ...(status === 'SUCCESS' && { externalId }),
  ...(status === 'ERROR' && { code }),
});

const presentConnection = (row: ConnectionRow): Connection => ({
  ...row,
  connected_at: row.connected_at.toISOString(),
  synced_at: row.synced_at?.toISOString() ?? null,
});

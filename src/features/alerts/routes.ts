import { AppError } from '../../errors.ts';
import { hasDoNotTrack } from '../../platform/analytics/do-not-track.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { guardRoutes, publicGuard } from '../../platform/http/guard.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { route } from '../../platform/http/route.ts';
import { createMemberAccess, parseIdParam, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { toLookupError } from '../../market-data/services/catalog/lookup-errors.ts';
import { addAlert } from './add-alert.ts';
import type { AlertDependencies, ChangeContext } from './context.ts';
import { changeAlert } from './change-alert.ts';
import { type Alert, type FiredAlert, MOVE_MESSAGE, routes } from './contract.ts';
import {
  type AlertRow,
  countUnread,
  deleteAlert,
  type FiredRow,
  listAlerts,
  listFired,
  markRead,
  setMail,
  unsubscribe,
  wantsMail,
} from './queries.ts';

/** `retry-after` of a 503 in seconds. */
const RETRY_AFTER_SECONDS = 5;
/** Links of mails that one address may open in a minute. Mail services send them for many members. */
const UNSUBSCRIBES_PER_MINUTE = 300;
const NOT_FOUND_MESSAGE = 'You have no alert with this id.';

const toThresholdError = (message: string): AppError =>
  new AppError('INVALID_REQUEST', { issues: [{ path: 'threshold', message }] });

const toAlert = (row: AlertRow): Alert => ({ ...row, created_at: row.created_at.toISOString() });
const toFired = (row: FiredRow): FiredAlert => ({
  ...row,
  price_at: row.price_at.toISOString(),
  fired_at: row.fired_at.toISOString(),
});

/** Adds the member's routes under `/api/alerts`. */
export async function addAlertRoutes(app: HttpApp, deps: AlertDependencies): Promise<void> {
  const { guards, database, mailer } = deps;
  const sql = database.service;
  const { asMember } = createMemberAccess(database, guards);
  await app.register(async (scope: HttpApp) => {
    guardRoutes(scope, {
      reads: guards.member,
      writes: guards.editor({ rejects: ['demo-account', 'demo-tour', 'sample-user'] }),
    });
    const getContext = (request: Parameters<typeof guards.getMember>[0]): ChangeContext => {
      const member = guards.getMember(request);
      return { deps, member, sql: asMember(member), doNotTrack: hasDoNotTrack(request.headers) };
    };

    const readLimit = async (idpId: string): Promise<number> => {
      const plan = await deps.getTier(idpId);
      if (!plan.ok) throw new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });
      return plan.watchlist_limit;
    };

    route(scope, routes.listAlerts, async (request, reply) => {
      const { member, sql: memberSql } = getContext(request);
      const { idpId } = member;
      reply.headers(PRIVATE_CACHE_CONTROL);
      const limit = await readLimit(idpId);
      const mail = { available: mailer !== undefined, enabled: await wantsMail(sql, idpId) };
      if (isDemoTour(request)) return { limit, alerts: [], fired: [], unread_count: 0, mail };
      const [alerts, fired, unreadCount] = await Promise.all([
        listAlerts(memberSql, idpId),
        listFired(memberSql, idpId),
        countUnread(memberSql, idpId),
      ]);
      return { limit, alerts: alerts.map(toAlert), fired: fired.map(toFired), unread_count: unreadCount, mail };
    });

    route(scope, routes.countUnreadAlerts, async (request, reply) => {
      const { member, sql: memberSql } = getContext(request);
      reply.headers(PRIVATE_CACHE_CONTROL);
      return { unread_count: isDemoTour(request) ? 0 : await countUnread(memberSql, member.idpId) };
    });

    route(scope, routes.addAlert, async (request, reply) => {
      const { symbol, note = null, ...terms } = request.body;
      const context = getContext(request);
      const added = await addAlert(context, symbol, { ...terms, note });
      if (!added.ok) {
        switch (added.reason) {
          case 'limit':
            throw new AppError('LIMIT_REACHED', {
              message: 'You have as many alerts as your plan has tickers. Remove one or upgrade.',
              body: { limit: await readLimit(context.member.idpId) },
            });
          case 'locked':
            throw new AppError('FORBIDDEN', { message: `${symbol} is locked on your plan.` });
          case 'tier_unavailable':
            throw new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });
          case 'removed':
            throw new AppError('CONFLICT', { message: 'The alert fired at once, or was removed.' });
          default:
            throw toLookupError(added);
        }
      }
      deps.market
        .requestBackfill(added.alert.symbol)
        .catch((err: unknown) => deps.logger.warn({ err }, 'failed to request price and history of an alert'));
      return reply.code(201).send({ alert: toAlert(added.alert) });
    });

    route(scope, routes.changeAlert, async (request) => {
      const id = parseIdParam(request.params, NOT_FOUND_MESSAGE);
      const changed = await changeAlert(getContext(request), id, request.body);
      if (!changed.ok) {
        switch (changed.reason) {
          case 'not_found':
            throw new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE });
          case 'threshold_missing':
            throw toThresholdError('name it: the alert changes between a price and a percentage');
          case 'threshold_impossible':
            throw toThresholdError(MOVE_MESSAGE);
        }
      }
      return { alert: toAlert(changed.alert) };
    });

    route(scope, routes.removeAlert, async (request, reply) => {
      const { member, doNotTrack } = getContext(request);
      const id = parseIdParam(request.params, NOT_FOUND_MESSAGE);
      const removed = await database.transactionAs(
        { sub: member.idpId, sid: member.sessionId },
        async ({ member: memberSql, service }) => {
          const row = await deleteAlert(memberSql, id);
          if (row)
            await deps.captureInTransaction(
              service,
              member.idpId,
              [{ event: 'alert_removed', properties: { symbol: row.symbol } }],
              { declined: doNotTrack },
            );
          return row;
        },
      );
      if (!removed) throw new AppError('NOT_FOUND', { message: NOT_FOUND_MESSAGE });
      return reply.code(204).send();
    });

    route(scope, routes.markAlertsRead, async (request, reply) => {
      await markRead(sql, guards.getMember(request).idpId, request.body.ids);
      return reply.code(204).send();
    });

    route(scope, routes.setAlertMail, async (request, reply) => {
      const { idpId } = guards.getMember(request);
      if (request.body.enabled) {
        if (!mailer) throw new AppError('NOT_CONFIGURED', { message: 'This installation sends no mail.' });
        // Mails go to nobody who has not shown that the address is theirs.
        if ((await deps.findConfirmedAddress(idpId)) === undefined)
          throw new AppError('CONFLICT', { message: 'Confirm your email in the settings first.' });
      }
      await sql.transaction((tx) => setMail(tx, idpId, request.body.enabled));
      return reply.code(204).send();
    });
  });
}

/** Adds the link of the mails, which needs no sign-in. A mail program sends a form to it. */
export async function addUnsubscribeRoute(app: HttpApp, { database, createLimiter }: AlertDependencies): Promise<void> {
  const limiter = createLimiter({ name: 'alert-unsubscribe', limit: UNSUBSCRIBES_PER_MINUTE });
  const guard: Guard = {
    ...publicGuard('the code is in the link of a mail'),
    limit: { per: 'address', rates: [limiter.rate] },
    async check(request) {
      const result = await limiter.consume(toRateLimitAddress(request));
      if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
    },
  };
  await app.register(async (scope: HttpApp) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null));
    route(scope, routes.unsubscribeFromAlerts, { guard }, async (request, reply) => {
      await database.service.transaction((tx) => unsubscribe(tx, request.query.code));
      return reply.code(204).send();
    });
  });
}

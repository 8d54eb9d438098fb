import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../database/roles.ts';
import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { Feature } from '../../feature.ts';
import type { Analytics } from './analytics.ts';
import { keepContractProperties } from './clean-properties.ts';
import { type EventProperties, routes } from './contract.ts';
import { hasDoNotTrack } from './do-not-track.ts';
import { readChoice, writeChoice } from './queries.ts';

/** A signed-in member with the session of the request. */
interface MemberSession {
  idpId: string;
  sessionId: string;
}

type ServerProperties = Readonly<Record<string, EventProperties[string] | undefined>>;

interface BrowserEventDependencies {
  sql: ServiceSql;
  guards: {
    member: Guard;
    editor(options: { rejects: readonly ('demo-account' | 'demo-tour' | 'sample-user')[] }): Guard;
    getMember(request: FastifyRequest): MemberSession;
  };
  /**
   * Returns the problem of an event from a browser, as the end of a sentence about the path. A browser may not send the
   * event, or a property has an invalid value.
   */
  validateEvent: (event: string, properties: EventProperties) => { path: string; message: string } | undefined;
  /**
   * Returns whether the figures in a browser's event are plausible. Other figures are replaced by
   * `getServerProperties`.
   */
  isPlausible?: (event: string, properties: EventProperties) => boolean;
  /**
   * Returns the service's own values for each event, which overwrite those of the browser. `undefined` removes a
   * property.
   */
  getServerProperties: (
    member: MemberSession,
    events: readonly string[],
  ) => Promise<ReadonlyMap<string, ServerProperties>>;
  record: Analytics['record'];
}

/** Creates the routes of browser events. The features validate their events, so app.ts creates these routes last. */
export const createBrowserEvents = (deps: BrowserEventDependencies): Feature => ({
  name: 'browser-events',
  register: (app) => addAnalyticsRoutes(app, deps),
});

const DAY_MS = 24 * 60 * 60_000;

/** Maximum age in ms of an unsent event in a browser. */
const MAX_EVENT_AGE_MS = 7 * DAY_MS;

function addAnalyticsRoutes(app: HttpApp, deps: BrowserEventDependencies): void {
  const { sql, guards, validateEvent, getServerProperties, record, isPlausible = () => false } = deps;
  const sender = guards.editor({ rejects: ['sample-user'] });
  route(app, routes.captureEvents, { guard: sender, bodyLimit: 64 * 1024 }, async (request, reply) => {
    const member = guards.getMember(request);
    const { events } = request.body;
    const issues = events.flatMap(({ event, properties }, index) => {
      const issue = validateEvent(event, properties);
      return issue ? [{ path: `events.${index}.${issue.path}`, message: issue.message }] : [];
    });
    if (issues.length > 0) throw new AppError('INVALID_REQUEST', { issues });
    if (hasDoNotTrack(request.headers) || !(await readChoice(sql, member.idpId))) return reply.code(202).send();
    // Only an event with a time describes that moment. Otherwise the service adds the current figures.
    const isTrusted = events.map(({ event, properties, occurred_at }) => occurred_at && isPlausible(event, properties));
    const serverProperties = await getServerProperties(
      member,
      events.flatMap(({ event }, index) => (isTrusted[index] ? [] : [event])),
    );
    const now = Date.now();
    const haveAllFitted = await record(
      member.idpId,
      events.map(({ id, occurred_at, event, properties }, index) => ({
        id: id ?? randomUUID(),
        event,
        properties: omitUndefined({
          ...keepContractProperties(event, properties),
          ...(isTrusted[index] ? undefined : serverProperties.get(event)),
        }),
        occurredAt: new Date(
          occurred_at ? Math.min(now, Math.max(now - MAX_EVENT_AGE_MS, Date.parse(occurred_at))) : now,
        ),
      })),
    );
    if (!haveAllFitted) throw new AppError('RATE_LIMITED', { retryAfter: getSecondsUntilTomorrow(now) });
    return reply.code(202).send();
  });

  route(app, routes.readAnalyticsChoice, { guard: guards.member }, async (request) => ({
    enabled: await readChoice(sql, guards.getMember(request).idpId),
  }));

  const guard = guards.editor({ rejects: ['demo-account', 'demo-tour', 'sample-user'] });
  route(app, routes.setAnalyticsChoice, { guard }, async (request) => {
    const { enabled } = request.body;
    await writeChoice(sql, guards.getMember(request).idpId, enabled);
    return { enabled };
  });
}

/** Returns the seconds until the next day in UTC. */
const getSecondsUntilTomorrow = (now: number): number => (DAY_MS - (now % DAY_MS)) / 1000;

const omitUndefined = (properties: ServerProperties): EventProperties =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../../errors.ts';
import type { Guard, HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { Slice } from '../../slice.ts';
import type { Analytics } from './analytics.ts';
import { asContracted } from './clean-properties.ts';
import { type EventProperties, routes } from './contract.ts';
import { asksNotTo } from './declined.ts';
import { readChoice, writeChoice } from './queries.ts';

/** Who is signed in; the part that is read here. */
interface CapturingMember {
  idpId: string;
  sessionId: string;
}

type Known = Readonly<Record<string, EventProperties[string] | undefined>>;

interface BrowserEventDependencies {
  sql: ServiceSql;
  guards: {
    member: Guard;
    editor(options: { refuses: readonly ('demo-account' | 'demo-tour' | 'sample-user')[] }): Guard;
    memberOf(request: FastifyRequest): CapturingMember;
  };
  /**
   * What is wrong with an event that a browser sends, as the end of a sentence about a place in it: one that no browser
   * sends, or a property that is none of its values.
   */
  judge: (event: string, properties: EventProperties) => { path: string; message: string } | undefined;
  /** Whether a browser's own figures of the moment of an event can be true; others are replaced by `knownOf`. */
  isPlausible?: (event: string, properties: EventProperties) => boolean;
  /**
   * What the service itself knows of each of the named events; it overwrites what the browser said. `undefined` takes a
   * property away.
   */
  knownOf: (member: CapturingMember, events: readonly string[]) => Promise<ReadonlyMap<string, Known>>;
  record: Analytics['record'];
}

/** What browsers capture: made above the slices that know what is true of their events. */
export const createBrowserEvents = (deps: BrowserEventDependencies): Slice => ({
  name: 'browser-events',
  register: (app) => addAnalyticsRoutes(app, deps),
});

/** How long a browser keeps events that it could not send. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

function addAnalyticsRoutes(app: HttpApp, deps: BrowserEventDependencies): void {
  const { sql, guards, judge, knownOf, record, isPlausible = () => false } = deps;
  route(app, routes.captureEvents, { guard: guards.member, bodyLimit: 64 * 1024 }, async (request, reply) => {
    const member = guards.memberOf(request);
    const { events } = request.body;
    const issues = events.flatMap(({ event, properties }, index) => {
      const wrong = judge(event, properties);
      return wrong ? [{ path: `events.${index}.${wrong.path}`, message: wrong.message }] : [];
    });
    if (issues.length > 0) throw new Failure('INVALID_REQUEST', { issues });
    if (asksNotTo(request.headers) || !(await readChoice(sql, member.idpId))) return reply.code(202).send();
    // Only an event with its time tells of the moment when it happened; without one the service says how things are.
    const own = events.map(({ event, properties, occurred_at }) => occurred_at && isPlausible(event, properties));
    const known = await knownOf(
      member,
      events.flatMap(({ event }, index) => (own[index] ? [] : [event])),
    );
    const now = Date.now();
    await record(
      events.map(({ id, occurred_at, event, properties }, index) => ({
        id: id ?? randomUUID(),
        idpId: member.idpId,
        event,
        properties: defined({ ...asContracted(event, properties), ...(own[index] ? undefined : known.get(event)) }),
        occurredAt: new Date(occurred_at ? Math.min(now, Math.max(now - KEPT_MS, Date.parse(occurred_at))) : now),
      })),
    );
    return reply.code(202).send();
  });

  route(app, routes.readAnalyticsChoice, { guard: guards.member }, async (request) => ({
    enabled: await readChoice(sql, guards.memberOf(request).idpId),
  }));

  const guard = guards.editor({ refuses: ['demo-account', 'demo-tour', 'sample-user'] });
  route(app, routes.setAnalyticsChoice, { guard }, async (request) => {
    const { enabled } = request.body;
    await writeChoice(sql, guards.memberOf(request).idpId, enabled);
    return { enabled };
  });
}

const defined = (properties: Known): EventProperties =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

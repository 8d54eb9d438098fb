import type { FastifyRequest } from 'fastify';
import type { Guard, HttpApp } from '../http/app-type.ts';
import { Failure } from '../errors.ts';
import { route } from '../http/route.ts';
import type { Slice } from '../slice.ts';
import { type EventProperties, routes } from './contract.ts';

/** Who is signed in; the part that is read here. */
interface CapturingMember {
  idpId: string;
  sessionId: string;
}

/**
 * What the service itself knows of each of the named events; it overwrites what the browser said. `undefined` takes a
 * property away.
 */
type KnownOf = (
  member: CapturingMember,
  events: readonly string[],
) => Promise<ReadonlyMap<string, Readonly<Record<string, EventProperties[string] | undefined>>>>;

interface BrowserEventDependencies {
  guards: { member: Guard; memberOf(request: FastifyRequest): CapturingMember };
  judge: JudgeEvent;
  /** No browser is believed about what the service knows. */
  knownOf: KnownOf;
  capture: (idpId: string, event: string, properties: EventProperties) => void;
}

/**
 * What is wrong with an event that a browser sends, as the end of a sentence about a place in it: one that no browser
 * sends, or a property that is none of its values.
 */
type JudgeEvent = (event: string, properties: EventProperties) => { path: string; message: string } | undefined;

/** What browsers capture: made above the slices that know what is true of their events. */
export const createBrowserEvents = (deps: BrowserEventDependencies): Slice => ({
  name: 'browser-events',
  register: (app) => addBrowserEventRoute(app, deps),
});

/**
 * `POST /api/analytics/events`: takes what the web app captured; 202, since nothing is promised about when it is
 * written.
 */
function addBrowserEventRoute(app: HttpApp, { guards, judge, knownOf, capture }: BrowserEventDependencies): void {
  route(app, routes.captureEvents, { guard: guards.member, bodyLimit: 64 * 1024 }, async (request, reply) => {
    const member = guards.memberOf(request);
    const { events } = request.body;
    const issues = events.flatMap(({ event, properties }, index) => {
      const wrong = judge(event, properties);
      return wrong ? [{ path: `events.${index}.${wrong.path}`, message: wrong.message }] : [];
    });
    if (issues.length > 0) throw new Failure('INVALID_REQUEST', { issues });
    const known = await knownOf(
      member,
      events.map(({ event }) => event),
    );
    for (const { event, properties } of events) {
      const all = Object.entries({ ...properties, ...known.get(event) });
      capture(
        member.idpId,
        event,
        Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      );
    }
    return reply.code(202).send();
  });
}

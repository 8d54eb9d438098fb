import { PassThrough } from 'node:stream';
import { Failure } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { isDemoTour } from '../../../platform/http/demo-tour.ts';
import { route } from '../../../platform/http/route.ts';
import type { Guards } from '../../../platform/identity/guards.ts';
import { idFrom, OWN_READ } from '../../../platform/identity/member-access.ts';
import type { Member } from '../../../platform/identity/member.ts';
import { type ConversationMessage, reportKind, routes, type StreamEvent } from '../contract.ts';
import {
  type ConversationRow,
  deleteConversations,
  INTERRUPTED,
  KEPT_DAYS,
  listConversations,
  type MessageRow,
  readConversation,
  readMessages,
  requestStop,
  usedToday,
} from '../conversations/queries.ts';
import { MODEL_ADDS, reportTitles } from '../reports/reports.ts';
import { ask, type AskDependencies, LIMIT_WORDS } from './ask.ts';

interface AnswerRouteDependencies extends Omit<AskDependencies, 'model'> {
  guards: Guards;
  /** None without a key. */
  model: AskDependencies['model'] | undefined;
}

const KEEP_ALIVE_MS = 15_000;
const MISSING = 'You have no conversation with this id.';

/** Questions, their streamed answers, and the conversations that these make. */
export function addAnswerRoutes(app: HttpApp, deps: AnswerRouteDependencies): void {
  const { guards, database, live, model, limits, now } = deps;
  // Viewers of the demo account share it: they would read each other's questions.
  const writer = guards.editor({ refuses: ['demo-account', 'demo-tour', 'sample-user'] });
  const sqlOf = ({ idpId, sessionId }: Member) => database.asMember({ sub: idpId, sid: sessionId });

  route(app, routes.getAssistant, { guard: guards.member }, async (request, reply) => {
    const member = guards.memberOf(request);
    const isDemo = member.isDemoAccount || member.isSampleUser || isDemoTour(request);
    const used = await usedToday(database.service, member.idpId);
    reply.headers(OWN_READ);
    return {
      available: model !== undefined && !isDemo,
      unavailable_because: model === undefined ? ('not_configured' as const) : isDemo ? ('demo' as const) : null,
      model: model?.id ?? null,
      used,
      limit: { answers: limits.answers, tokens: limits.tokens },
      resets_at: nextMidnight(now()),
      reports: reportKind.options.map((kind) => ({ kind, ...reportTitles[kind] })),
      with_model: model ? null : MODEL_ADDS,
    };
  });

  route(app, routes.ask, { guard: writer }, async (request, reply) => {
    if (!model) throw new Failure('NOT_CONFIGURED', { message: MODEL_ADDS });
    const events = createEventStream();
    const asked = await ask({ ...deps, model }, guards.memberOf(request), request.body, events.send);
    if (!asked.ok) {
      events.body.destroy();
      if (asked.reason !== 'limit')
        throw asked.reason === 'busy'
          ? new Failure('CONFLICT', { message: 'An answer of this conversation is under way.' })
          : new Failure('NOT_FOUND', { message: MISSING });
      const resetsAt = nextMidnight(now());
      throw new Failure('DAILY_LIMIT_REACHED', {
        message: LIMIT_WORDS[asked.of],
        body: { of: asked.of, resets_at: resetsAt },
        retryAfter: Math.ceil((Date.parse(resetsAt) - now().getTime()) / 1000),
      });
    }
    reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    return reply.type('text/event-stream; charset=utf-8').send(events.body as never);
  });

  route(app, routes.stopAnswer, { guard: writer }, async (request, reply) => {
    const sql = sqlOf(guards.memberOf(request));
    const id = idFrom(request.params, MISSING);
    if (!(await readConversation(sql, id))) throw new Failure('NOT_FOUND', { message: MISSING });
    const answerId = await requestStop(sql, id);
    if (answerId !== undefined) live.stop(answerId);
    return reply.code(204).send();
  });

  route(app, routes.listConversations, { guard: guards.member }, async (request, reply) => {
    const rows = await listConversations(sqlOf(guards.memberOf(request)));
    reply.headers(OWN_READ);
    return { conversations: rows.map(presentHeading) };
  });

  route(app, routes.getConversation, { guard: guards.member }, async (request, reply) => {
    const sql = sqlOf(guards.memberOf(request));
    const row = await readConversation(sql, idFrom(request.params, MISSING));
    if (!row) throw new Failure('NOT_FOUND', { message: MISSING });
    reply.headers(OWN_READ);
    const messages = await readMessages(sql, row.id);
    return { ...presentHeading(row), messages: messages.map(presentMessage) };
  });

  route(app, routes.deleteConversation, { guard: writer }, async (request, reply) => {
    const sql = sqlOf(guards.memberOf(request));
    const id = idFrom(request.params, MISSING);
    const answerId = await requestStop(sql, id);
    if (answerId !== undefined) live.stop(answerId);
    if ((await deleteConversations(sql, id)) === 0) throw new Failure('NOT_FOUND', { message: MISSING });
    return reply.code(204).send();
  });

  route(app, routes.deleteConversations, { guard: writer }, async (request, reply) => {
    await deleteConversations(sqlOf(guards.memberOf(request)));
    return reply.code(204).send();
  });
}

/** When the day of the limits ends: at midnight in UTC. */
const nextMidnight = (now: Date): string =>
  new Date((Math.floor(now.getTime() / 86_400_000) + 1) * 86_400_000).toISOString();

/** Server-sent events as a body. What is sent after the reader has gone is dropped. */
function createEventStream() {
  const body = new PassThrough();
  // A reader that goes away is no fault of ours.
  body.on('error', () => {});
  const timer = setInterval(() => write(': still here\n\n'), KEEP_ALIVE_MS);
  timer.unref();
  const write = (text: string): void => {
    if (!body.destroyed && !body.writableEnded) body.write(text);
  };
  body.on('close', () => clearInterval(timer));
  return {
    body,
    send(event: StreamEvent): void {
      write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      if (event.type !== 'done' && event.type !== 'error') return;
      clearInterval(timer);
      body.end();
    },
  };
}

const presentHeading = ({ id, title, symbol, created_at, updated_at }: ConversationRow) => ({
  ...{ id, title, symbol, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  deleted_at: new Date(updated_at.getTime() + KEPT_DAYS * 86_400_000).toISOString(),
});

function presentMessage(row: MessageRow): ConversationMessage {
  const { id, symbol, parts, reason, links, removed_links, usage } = row;
  const created = row.created_at.toISOString();
  if (row.role === 'member') return { role: 'member', id, text: row.text ?? '', symbol, created_at: created };
  const abandoned = row.abandoned ? { code: 'INTERRUPTED' as const, message: INTERRUPTED, retry: true } : null;
  return {
    ...{ role: 'assistant', id, parts, reason, links, removed_links, usage, created_at: created },
    status: abandoned ? 'failed' : (row.status ?? 'failed'),
    failure: row.failure ?? abandoned,
  };
}

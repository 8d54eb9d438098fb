import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { isDemoTour } from '../../../platform/http/demo-tour.ts';
import { route } from '../../../platform/http/route.ts';
import type { Guards } from '../../../platform/identity/guards.ts';
import { parseIdParam, PRIVATE_CACHE_CONTROL } from '../../../platform/identity/member-access.ts';
import type { Member } from '../../../platform/identity/member.ts';
import { type ConversationMessage, reportKind, routes } from '../contract.ts';
import {
  type ConversationRow,
  deleteConversations,
  INTERRUPTED_MESSAGE,
  RETENTION_DAYS,
  listConversations,
  type MessageRow,
  readConversation,
  readMessages,
  requestStop,
  readUsageToday,
} from '../conversations/queries.ts';
import { MODEL_HINT, reportTitles } from '../reports/reports.ts';
import { ask, type AskDependencies, LIMIT_MESSAGES } from './ask.ts';
import { createEventStream } from './event-stream.ts';

interface AnswerRouteDependencies extends Omit<AskDependencies, 'model'> {
  guards: Guards;
  /** `undefined` without an API key. */
  model: AskDependencies['model'] | undefined;
}

const QUESTIONS_UNAVAILABLE_MESSAGE = 'Questions cannot be answered here. Reports are available.';
const CONVERSATION_NOT_FOUND = 'You have no conversation with this id.';

/** Adds the routes for questions, their streamed answers, and the conversations. */
export function addAnswerRoutes(app: HttpApp, deps: AnswerRouteDependencies): void {
  const { guards, database, answerRegistry, model, limits, now } = deps;
  // Viewers share the demo account and could read each other's questions.
  const editorGuard = guards.editor({ rejects: ['demo-account', 'demo-tour', 'sample-user'] });
  const getMemberSql = ({ idpId, sessionId }: Member) => database.asMember({ sub: idpId, sid: sessionId });

  route(app, routes.getAssistant, { guard: guards.member }, async (request, reply) => {
    const member = guards.getMember(request);
    const isDemo = member.isDemoAccount || member.isSampleUser || isDemoTour(request);
    const used = await readUsageToday(database.service, member.idpId);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return {
      available: model !== undefined && !isDemo,
      unavailable_because: getUnavailableReason(model !== undefined, isDemo),
      model: model?.id ?? null,
      used,
      limit: { answers: limits.answers, tokens: limits.tokens },
      resets_at: getNextMidnight(now()),
      reports: reportKind.options.map((kind) => ({ kind, ...reportTitles[kind] })),
      with_model: model ? null : MODEL_HINT,
    };
  });

  route(app, routes.ask, { guard: editorGuard }, async (request, reply) => {
    if (!model) throw new AppError('NOT_CONFIGURED', { message: QUESTIONS_UNAVAILABLE_MESSAGE });
    const events = createEventStream();
    const result = await ask({ ...deps, model }, guards.getMember(request), request.body, events.send);
    if (!result.ok) {
      events.body.destroy();
      if (result.reason !== 'limit')
        throw result.reason === 'busy'
          ? new AppError('CONFLICT', { message: 'This conversation already has an answer in progress.' })
          : new AppError('NOT_FOUND', { message: CONVERSATION_NOT_FOUND });
      const resetsAt = getNextMidnight(now());
      throw new AppError('DAILY_LIMIT_REACHED', {
        message: LIMIT_MESSAGES[result.exceeded],
        body: { of: result.exceeded, resets_at: resetsAt },
        retryAfter: Math.ceil((Date.parse(resetsAt) - now().getTime()) / 1000),
      });
    }
    reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    return reply.type('text/event-stream; charset=utf-8').send(events.body as never);
  });

  route(app, routes.stopAnswer, { guard: editorGuard }, async (request, reply) => {
    const sql = getMemberSql(guards.getMember(request));
    const id = parseIdParam(request.params, CONVERSATION_NOT_FOUND);
    if (!(await readConversation(sql, id))) throw new AppError('NOT_FOUND', { message: CONVERSATION_NOT_FOUND });
    const answerId = await requestStop(sql, id);
    if (answerId !== undefined) answerRegistry.stop(answerId);
    return reply.code(204).send();
  });

  route(app, routes.listConversations, { guard: guards.member }, async (request, reply) => {
    const rows = await listConversations(getMemberSql(guards.getMember(request)));
    reply.headers(PRIVATE_CACHE_CONTROL);
    return { conversations: rows.map(toSummaryResponse) };
  });

  route(app, routes.getConversation, { guard: guards.member }, async (request, reply) => {
    const sql = getMemberSql(guards.getMember(request));
    const row = await readConversation(sql, parseIdParam(request.params, CONVERSATION_NOT_FOUND));
    if (!row) throw new AppError('NOT_FOUND', { message: CONVERSATION_NOT_FOUND });
    reply.headers(PRIVATE_CACHE_CONTROL);
    const messages = await readMessages(sql, row.id);
    return { ...toSummaryResponse(row), messages: messages.map(toMessageResponse) };
  });

  route(app, routes.deleteConversation, { guard: editorGuard }, async (request, reply) => {
    const sql = getMemberSql(guards.getMember(request));
    const id = parseIdParam(request.params, CONVERSATION_NOT_FOUND);
    const answerId = await requestStop(sql, id);
    if (answerId !== undefined) answerRegistry.stop(answerId);
    if ((await deleteConversations(sql, id)) === 0)
      throw new AppError('NOT_FOUND', { message: CONVERSATION_NOT_FOUND });
    return reply.code(204).send();
  });

  route(app, routes.deleteConversations, { guard: editorGuard }, async (request, reply) => {
    await deleteConversations(getMemberSql(guards.getMember(request)));
    return reply.code(204).send();
  });
}

function getUnavailableReason(hasModel: boolean, isDemo: boolean): 'not_configured' | 'demo' | null {
  if (!hasModel) return 'not_configured';
  return isDemo ? 'demo' : null;
}

/** Returns the next midnight in UTC, when the daily limits reset. */
const getNextMidnight = (now: Date): string =>
  new Date((Math.floor(now.getTime() / 86_400_000) + 1) * 86_400_000).toISOString();

const toSummaryResponse = ({ id, title, symbol, created_at, updated_at }: ConversationRow) => ({
  id,
  title,
  symbol,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  deleted_at: new Date(updated_at.getTime() + RETENTION_DAYS * 86_400_000).toISOString(),
});

function toMessageResponse(row: MessageRow): ConversationMessage {
  const { id, symbol, parts, reason, links, removed_links, usage } = row;
  const createdAt = row.created_at.toISOString();
  if (row.role === 'member') return { role: 'member', id, text: row.text ?? '', symbol, created_at: createdAt };
  const abandoned = row.orphaned ? { code: 'INTERRUPTED' as const, message: INTERRUPTED_MESSAGE, retry: true } : null;
  return {
    role: 'assistant',
    id,
    parts,
    reason,
    links,
    removed_links,
    usage,
    created_at: createdAt,
    status: abandoned ? 'failed' : (row.status ?? 'failed'),
    failure: row.failure ?? abandoned,
  };
}

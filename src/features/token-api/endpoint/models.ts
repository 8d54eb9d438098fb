import { listModels, type ModelRow, resolveModel } from '../../../../packages/token-counter/src/index.ts';
import { pathOf } from '../../../platform/http/observe-answer.ts';
import type { KeyCache } from '../key-cache.ts';
import { unknownModel } from '../unknown-model.ts';
import { shown } from '../validation/problem.ts';
import { type Answer, type Call, type Refusal, refuse } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readVersion } from './check-headers.ts';

const MAX_LIMIT = 1_000;

const lineOf = (id: string): string | null => /haiku|sonnet|opus|fable|mythos/.exec(id)?.[0] ?? null;

/** A model in the real API's shape; what a counter does not know of it is null. */
const toModel = (row: ModelRow) => ({
  type: 'model' as const,
  id: row.id,
  display_name: row.displayName,
  created_at: row.createdAt,
  lifecycle: row.status,
  line: lineOf(row.id),
  capabilities: null,
  deprecated_at: null,
  retires_at: row.retiresAt ?? null,
  max_input_tokens: null,
  max_tokens: null,
});

/** `GET /v1/models`: the active models, newest first, by `before_id`, `after_id` and `limit` (1–1000, default 20). */
export async function answerModelList(call: Call, keys: KeyCache): Promise<Answer> {
  const refused = await admit(call, keys);
  if (refused) return refused;
  const query = new URLSearchParams(call.request.url!.slice(pathOf(call.request).length));
  const unknown = [...query.keys()].find((name) => !['before_id', 'after_id', 'limit', 'beta'].includes(name));
  if (unknown !== undefined) return refuse(400, `${shown(unknown)}: Extra inputs are not permitted`);
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit)) return refuse(400, 'limit: Input should be a valid integer');
  if (limit < 1) return refuse(400, 'limit: Input should be greater than or equal to 1');
  if (limit > MAX_LIMIT) return refuse(400, `limit: Input should be less than or equal to ${MAX_LIMIT}`);
  const [before, after] = [query.get('before_id'), query.get('after_id')];
  if (before !== null && after !== null)
    return refuse(400, 'before_id: only one of before_id and after_id may be given');
  const rows = listModels().filter((row) => row.status !== 'retired');
  const cursor = before ?? after;
  const at = rows.findIndex((row) => row.id === cursor);
  if (at === -1 && cursor !== null) {
    const name = before === null ? 'after_id' : 'before_id';
    return refuse(400, `${name}: no model has this id: ${shown(cursor)}`);
  }
  const from = before !== null ? Math.max(0, at - limit) : after !== null ? at + 1 : 0;
  const page = rows.slice(from, before !== null ? at : from + limit);
  const hasMore = before !== null ? from > 0 : from + limit < rows.length;
  const body = {
    data: page.map(toModel),
    has_more: hasMore,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
  return { ok: true, json: JSON.stringify(body) };
}

/** `GET /v1/models/{id}`: one model, by its id or an alias of it. */
export async function answerModel(call: Call, keys: KeyCache, id: string): Promise<Answer> {
  const refused = await admit(call, keys);
  if (refused) return refused;
  const row = resolveModel(id);
  return row ? { ok: true, json: JSON.stringify(toModel(row)) } : refuse(404, unknownModel(id));
}

/** Refuses a request without a good key or a known version. */
async function admit(call: Call, keys: KeyCache): Promise<Refusal | undefined> {
  const authenticated = await authenticate(call, keys);
  if (!authenticated.ok) return authenticated;
  const known = readVersion(call.request.headers);
  return known.ok ? undefined : known;
}

import { listModels, type ModelRow, resolveModel } from '../../../../packages/token-counter/src/index.ts';
import { getPath } from '../../../platform/http/observe-response.ts';
import type { KeyCache } from '../key-cache.ts';
import { formatUnknownModel } from '../unknown-model.ts';
import { truncateForMessage } from '../validation/problem.ts';
import { type ApiResult, type ApiCall, type ApiErrorResult, apiError } from './api-result.ts';
import { authenticate } from './authenticate.ts';
import { readVersion } from './check-headers.ts';

const MAX_LIMIT = 1_000;

const findModelLine = (id: string): string | null => /haiku|sonnet|opus|fable|mythos/.exec(id)?.[0] ?? null;

/** Returns a model in the format of the real API. Fields that this service does not know are null. */
const toModel = (row: ModelRow) => ({
  type: 'model' as const,
  id: row.id,
  display_name: row.displayName,
  created_at: row.createdAt,
  lifecycle: row.status,
  line: findModelLine(row.id),
  capabilities: null,
  deprecated_at: null,
  retires_at: row.retiresAt ?? null,
  max_input_tokens: null,
  max_tokens: null,
});

/**
 * Handles `GET /v1/models`: the active models, newest first, by `before_id`, `after_id` and `limit` (1–1000, default
 * 20).
 */
export async function handleListModels(call: ApiCall, keys: KeyCache): Promise<ApiResult> {
  const accessError = await findAccessError(call, keys);
  if (accessError) return accessError;
  const query = new URLSearchParams(call.request.url!.slice(getPath(call.request).length));
  const unknownParameter = [...query.keys()].find((name) => !['before_id', 'after_id', 'limit', 'beta'].includes(name));
  if (unknownParameter !== undefined)
    return apiError(400, `${truncateForMessage(unknownParameter)}: Extra inputs are not permitted`);
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit)) return apiError(400, 'limit: Input should be a valid integer');
  if (limit < 1) return apiError(400, 'limit: Input should be greater than or equal to 1');
  if (limit > MAX_LIMIT) return apiError(400, `limit: Input should be less than or equal to ${MAX_LIMIT}`);
  const before = query.get('before_id');
  const after = query.get('after_id');
  if (before !== null && after !== null)
    return apiError(400, 'before_id: only one of before_id and after_id may be given');
  const rows = listModels().filter((row) => row.status !== 'retired');
  const cursor = before ?? after;
  const cursorIndex = rows.findIndex((row) => row.id === cursor);
  if (cursorIndex === -1 && cursor !== null) {
    const name = before === null ? 'after_id' : 'before_id';
    return apiError(400, `${name}: no model has this id: ${truncateForMessage(cursor)}`);
  }
  // Without a cursor the index is -1.
  const from = before === null ? cursorIndex + 1 : Math.max(0, cursorIndex - limit);
  const page = rows.slice(from, before !== null ? cursorIndex : from + limit);
  const hasMore = before !== null ? from > 0 : from + limit < rows.length;
  const body = {
    data: page.map(toModel),
    has_more: hasMore,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
  return { ok: true, json: JSON.stringify(body) };
}

/** Handles `GET /v1/models/{id}`: one model by its id or alias. */
export async function handleGetModel(call: ApiCall, keys: KeyCache, id: string): Promise<ApiResult> {
  const accessError = await findAccessError(call, keys);
  if (accessError) return accessError;
  const row = resolveModel(id);
  return row ? { ok: true, json: JSON.stringify(toModel(row)) } : apiError(404, formatUnknownModel(id));
}

/** Returns an error if the request has no valid key or no known version. */
async function findAccessError(call: ApiCall, keys: KeyCache): Promise<ApiErrorResult | undefined> {
  const authenticated = await authenticate(call, keys);
  if (!authenticated.ok) return authenticated;
  const version = readVersion(call.request.headers);
  return version.ok ? undefined : version;
}

import { listModels, type ModelRow, resolveModel } from '../counter/index.ts';
import { unknownModel } from '../unknown-model.ts';
import { shown } from '../validation/problem.ts';
import type { KeyCache } from '../key-cache.ts';
import { authenticate } from './authenticate.ts';
import { readVersion } from './check-headers.ts';
import { admit, whenKnown } from './count-tokens.ts';
import type { Exchange } from './exchange.ts';

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
export function answerModelList(exchange: Exchange, keys: KeyCache): void {
  ifAllowed(exchange, keys, () => {
    const query = new URLSearchParams(exchange.request.url!.slice(exchange.path.length));
    const unknown = [...query.keys()].find((name) => !['before_id', 'after_id', 'limit', 'beta'].includes(name));
    if (unknown !== undefined) return exchange.fail(400, `${shown(unknown)}: Extra inputs are not permitted`);
    const limit = Number(query.get('limit') ?? 20);
    if (!Number.isInteger(limit)) return exchange.fail(400, 'limit: Input should be a valid integer');
    if (limit < 1) return exchange.fail(400, 'limit: Input should be greater than or equal to 1');
    if (limit > MAX_LIMIT) return exchange.fail(400, `limit: Input should be less than or equal to ${MAX_LIMIT}`);
    const [before, after] = [query.get('before_id'), query.get('after_id')];
    if (before !== null && after !== null)
      return exchange.fail(400, 'before_id: only one of before_id and after_id may be given');
    const rows = listModels().filter((row) => row.status !== 'retired');
    const cursor = before ?? after;
    const at = rows.findIndex((row) => row.id === cursor);
    if (at === -1 && cursor !== null) {
      const name = before === null ? 'after_id' : 'before_id';
      return exchange.fail(400, `${name}: no model has this id: ${shown(cursor)}`);
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
    exchange.send(200, JSON.stringify(body));
  });
}

/** `GET /v1/models/{id}`: one model, by its id or an alias of it. */
export function answerModel(exchange: Exchange, keys: KeyCache, id: string): void {
  ifAllowed(exchange, keys, () => {
    const row = resolveModel(id);
    if (!row) return exchange.fail(404, unknownModel(id));
    exchange.send(200, JSON.stringify(toModel(row)));
  });
}

function ifAllowed(exchange: Exchange, keys: KeyCache, next: () => void): void {
  const { headers } = exchange.request;
  whenKnown(exchange, authenticate(exchange.request, keys), (authentication) => {
    if (!admit(exchange, authentication)) return;
    const version = readVersion(headers);
    if (typeof version !== 'string') return exchange.fail(version.status, version.message);
    next();
  });
}

import {
  describeModel,
  type Effort,
  EFFORTS,
  listModels,
  type ModelDescription,
  type ModelRow,
  resolveModel,
} from '../../../../packages/token-counter/src/index.ts';
import { getPath } from '../../../platform/http/observe-response.ts';
import type { KeyCache } from '../key-cache.ts';
import { formatUnknownModel } from '../unknown-model.ts';
import { truncateForMessage } from '../validation/problem.ts';
import { type ApiResult, type ApiCall, type ApiErrorResult, apiError } from './api-result.ts';
import { authenticate } from './authenticate.ts';
import { readVersion } from './check-headers.ts';

const MAX_LIMIT = 1_000;

const findModelLine = (id: string): string | null => /haiku|sonnet|opus|fable|mythos/.exec(id)?.[0] ?? null;

/** Returns the id that the list contains: the dated one, if there is one, as the real API lists it. */
const getListedId = ({ id, aliases }: ModelRow): string => aliases.find((alias) => /-\d{8}$/.test(alias)) ?? id;

/** Returns a model in the format of the real API. Fields about which nothing is published are null. */
function toModel(row: ModelRow, id = getListedId(row)) {
  const facts = describeModel(row.id)!;
  return {
    type: 'model' as const,
    id,
    display_name: row.displayName,
    created_at: row.createdAt,
    lifecycle: facts.status,
    line: findModelLine(row.id),
    capabilities: toCapabilities(facts),
    deprecated_at: facts.deprecatedAt,
    retires_at: facts.retiresAt,
    max_input_tokens: facts.contextWindow,
    max_tokens: facts.maxOutputTokens,
  };
}

type Support = boolean | null;
type CapabilitySupport = { supported: boolean } | null;

const toSupport = (supported: Support): CapabilitySupport => (supported === null ? null : { supported });

/** Returns a group of features, which is supported if one of them is. Returns null if that is not known. */
function toGroup<Name extends string>(
  features: Record<Name, Support>,
): ({ supported: boolean } & Record<Name, CapabilitySupport>) | null {
  const values = Object.values<Support>(features);
  const supported = values.includes(true);
  if (!supported && values.includes(null)) return null;
  const entries = Object.entries<Support>(features).map(([name, value]) => [name, toSupport(value)]);
  return { supported, ...(Object.fromEntries(entries) as Record<Name, CapabilitySupport>) };
}

function toCapabilities({ features, thinking, efforts }: ModelDescription) {
  const effort = Object.fromEntries(EFFORTS.map((name) => [name, efforts?.includes(name) ?? null]));
  const { enabled, disabled, adaptive, between_tools } = thinking;
  return {
    batch: toSupport(features.batch),
    citations: toSupport(features.citations),
    code_execution: toSupport(features.programmaticToolCalls),
    context_management: toGroup({
      clear_thinking_20251015: features.clearThinking,
      clear_tool_uses_20250919: features.clearToolUses,
      compact_20260112: features.compaction,
    }),
    effort: toGroup(effort as Record<Effort, Support>),
    image_input: toSupport(features.imageInput),
    pdf_input: toSupport(features.pdfInput),
    server_tools: toGroup({ code_execution: features.codeExecution, web_search: features.webSearch }),
    structured_outputs: toSupport(features.structuredOutputs),
    thinking: {
      // A model without thinking accepts `disabled`.
      supported: enabled === true || adaptive === true,
      types: {
        adaptive: toSupport(adaptive),
        between_tools: toSupport(between_tools),
        disabled: toSupport(disabled),
        enabled: toSupport(enabled),
      },
    },
  };
}

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
  const cursorIndex = rows.findIndex((row) => getListedId(row) === cursor);
  if (cursorIndex === -1 && cursor !== null) {
    const name = before === null ? 'after_id' : 'before_id';
    return apiError(400, `${name}: no model has this id: ${truncateForMessage(cursor)}`);
  }
  // Without a cursor the index is -1.
  const from = before === null ? cursorIndex + 1 : Math.max(0, cursorIndex - limit);
  const page = rows.slice(from, before !== null ? cursorIndex : from + limit);
  const hasMore = before !== null ? from > 0 : from + limit < rows.length;
  const data = page.map((row) => toModel(row));
  const body = {
    data,
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
  return { ok: true, json: JSON.stringify(body) };
}

/** Handles `GET /v1/models/{id}`: one model by any of its names, which is the id of the response. */
export async function handleGetModel(call: ApiCall, keys: KeyCache, id: string): Promise<ApiResult> {
  const accessError = await findAccessError(call, keys);
  if (accessError) return accessError;
  const row = resolveModel(id);
  return row ? { ok: true, json: JSON.stringify(toModel(row, id)) } : apiError(404, formatUnknownModel(id));
}

/** Returns an error if the request has no valid key or no known version. */
async function findAccessError(call: ApiCall, keys: KeyCache): Promise<ApiErrorResult | undefined> {
  const authenticated = await authenticate(call, keys);
  if (!authenticated.ok) return authenticated;
  const version = readVersion(call.request.headers);
  return version.ok ? undefined : version;
}

import type { ModelRow } from '../models/model-row.ts';
import { modelKeepsThinking } from '../models/models.ts';
import type { CountOptions, CountTokensRequest, ToolDefinition } from '../request-types.ts';
import type { FittedRules } from './fitted.ts';
import type { GenerationRules } from './generation-rules.ts';
import type { Prompt } from './prompt.ts';

/** Value of the beta header for thinking between calls with a thinking budget. */
const INTERLEAVED_THINKING_BETA = 'interleaved-thinking-2025-05-14';

/** Shared state of the functions that write the prompt. */
export interface Context {
  prompt: Prompt;
  model: ModelRow;
  fitted: FittedRules;
  /** The rules that differ between generations. */
  rules: GenerationRules;
  options: CountOptions;
  /** Tool names by call id, for results that name their tool. */
  callNameById: Map<string, string>;
  /** The tools by name, for results that refer to them. */
  tools: Map<string, ToolDefinition>;
  /** Whether some tools are written only when a result refers to them. */
  hasDeferredTools: boolean;
  /** The source that requests citations, documents first. The instructions are written once, before the turns. */
  citations: 'document' | 'search_result' | undefined;
  /** Whether the request enables thinking with its own budget. */
  hasManualThinking: boolean;
  /** Whether thinking of earlier turns counts. */
  keepsEarlierThinking: boolean;
  /** Whether the request asks for thinking between calls by its header. */
  hasInterleavedThinking: boolean;
  /** Whether the next section after tools, system text and schema must add its preceding line break. */
  hasPendingLineBreak: boolean;
  /** Whether the conversation ends in tool results, so that the answer continues the previous turn. */
  endsInResults: boolean;
}

type CitingBlock = { type?: string; citations?: unknown; content?: unknown };

function findCitingKind({ messages }: CountTokensRequest): Context['citations'] {
  const requestsCitations = (kind: string, { type, citations, content }: CitingBlock): boolean => {
    if (type === kind && typeof citations === 'object' && citations !== null && 'enabled' in citations)
      return citations.enabled === true;
    return (
      type === 'tool_result' &&
      Array.isArray(content) &&
      (content as CitingBlock[]).some((part) => requestsCitations(kind, part))
    );
  };
  return (['document', 'search_result'] as const).find((kind) =>
    messages.some(
      ({ content }) =>
        typeof content === 'object' &&
        (content as readonly CitingBlock[]).some((block) => requestsCitations(kind, block)),
    ),
  );
}

export function createContext(
  request: CountTokensRequest,
  model: ModelRow,
  prompt: Prompt,
  options: CountOptions,
  fitted: FittedRules,
): Context {
  const hasManualThinking = request.thinking?.type === 'enabled';
  const tools = new Map<string, ToolDefinition>();
  for (const tool of request.tools ?? []) if (typeof tool.name === 'string') tools.set(tool.name, tool);
  return {
    prompt,
    model,
    fitted,
    rules: fitted.generations[model.generation],
    options,
    callNameById: new Map(),
    tools,
    hasDeferredTools: request.tools?.some((tool) => tool.defer_loading === true) === true,
    citations: findCitingKind(request),
    hasManualThinking,
    keepsEarlierThinking: options.keepsEarlierThinking === true && modelKeepsThinking(model),
    hasInterleavedThinking:
      hasManualThinking && tools.size > 0 && options.betas?.includes(INTERLEAVED_THINKING_BETA) === true,
    hasPendingLineBreak: false,
    endsInResults: false,
  };
}

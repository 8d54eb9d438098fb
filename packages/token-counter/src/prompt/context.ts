import type { ModelRow } from '../models/model-row.ts';
import type { CountOptions, CountTokensRequest, ToolDefinition } from '../request-types.ts';
import type { FittedRules } from './fitted.ts';
import type { GenerationRules } from './generation-rules.ts';
import type { Prompt } from './prompt.ts';

/** What the writers of the prompt's parts share. */
export interface Context {
  prompt: Prompt;
  model: ModelRow;
  fitted: FittedRules;
  /** Those of them that differ between generations. */
  rules: GenerationRules;
  options: CountOptions;
  /** Names of the calls by id, for results that name their tool. */
  callNames: Map<string, string>;
  /** The tools by name, for results that refer to them. */
  tools: Map<string, ToolDefinition>;
  /** Some tools are written only where a result refers to them. */
  defersTools: boolean;
  /** What asks for citations, documents first; their instructions are written once, before the turns. */
  citations: 'document' | 'search_result' | undefined;
  /** The request asks for thinking with a budget of its own. */
  manualThinking: boolean;
  /** A section that follows tools, system text and schema pays for the line break before it. */
  breakOwed: boolean;
  /** The conversation ends in tool results, so that the answer continues the turn before them. */
  endsInResults: boolean;
}

type Citing = { type?: string; citations?: unknown; content?: unknown };

function citingKind({ messages }: CountTokensRequest): Context['citations'] {
  const cites = (kind: string, { type, citations, content }: Citing): boolean => {
    if (type === kind && typeof citations === 'object' && citations !== null && 'enabled' in citations)
      return citations.enabled === true;
    return type === 'tool_result' && Array.isArray(content) && (content as Citing[]).some((part) => cites(kind, part));
  };
  return (['document', 'search_result'] as const).find((kind) =>
    messages.some(
      ({ content }) =>
        typeof content === 'object' && (content as readonly Citing[]).some((block) => cites(kind, block)),
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
  const tools = new Map<string, ToolDefinition>();
  for (const tool of request.tools ?? []) if (typeof tool.name === 'string') tools.set(tool.name, tool);
  return {
    prompt,
    model,
    fitted,
    rules: fitted.generations[model.generation],
    options,
    callNames: new Map(),
    tools,
    defersTools: request.tools?.some((tool) => tool.defer_loading === true) === true,
    citations: citingKind(request),
    manualThinking: request.thinking?.type === 'enabled',
    breakOwed: false,
    endsInResults: false,
  };
}

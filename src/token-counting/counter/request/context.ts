import type { ModelRow } from '../model-row.ts';
import type { CountOptions, CountTokensRequest, ToolDefinition } from '../request-types.ts';
import { GENERATION_RULES, type GenerationRules } from './generation-rules.ts';
import type { Prompt } from './prompt.ts';

/** What the writers of the prompt's parts share. */
export interface Context {
  prompt: Prompt;
  model: ModelRow;
  rules: GenerationRules;
  options: CountOptions;
  /** Names of the calls by id, for results that name their tool. */
  callNames: Map<string, string>;
  /** The tools by name, for results that refer to them. */
  tools: Map<string, ToolDefinition>;
  /** Some tools are written only where a result refers to them. */
  defersTools: boolean;
  /** Some document or search result asks for citations; their instructions are written once, before the turns. */
  citations: boolean;
  /** The request asks for thinking with a budget of its own. */
  manualThinking: boolean;
  /** A section that follows tools, system text and schema pays for the line break before it. */
  breakOwed: boolean;
  /** The conversation ends in tool results, so that the answer continues the turn before them. */
  endsInResults: boolean;
}

type Citing = { type?: string; citations?: unknown; content?: unknown };

function asksForCitations({ messages }: CountTokensRequest): boolean {
  const asks = ({ type, citations, content }: Citing): boolean => {
    const cites = type === 'document' || type === 'search_result';
    if (cites && typeof citations === 'object' && citations !== null && 'enabled' in citations)
      return citations.enabled === true;
    return type === 'tool_result' && Array.isArray(content) && (content as Citing[]).some(asks);
  };
  return messages.some(({ content }) => typeof content === 'object' && (content as readonly Citing[]).some(asks));
}

export function createContext(
  request: CountTokensRequest,
  model: ModelRow,
  prompt: Prompt,
  options: CountOptions,
): Context {
  const tools = new Map<string, ToolDefinition>();
  for (const tool of request.tools ?? []) if (typeof tool.name === 'string') tools.set(tool.name, tool);
  return {
    prompt,
    model,
    rules: GENERATION_RULES[model.generation],
    options,
    callNames: new Map(),
    tools,
    defersTools: request.tools?.some((tool) => tool.defer_loading === true) === true,
    citations: asksForCitations(request),
    manualThinking: request.thinking?.type === 'enabled',
    breakOwed: false,
    endsInResults: false,
  };
}

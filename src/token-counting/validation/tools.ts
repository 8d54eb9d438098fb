import type { Check, Problem } from './problem.ts';
import { refuse, within } from './problem.ts';
import {
  boolean,
  fields,
  isObject,
  list,
  nullable,
  object,
  oneOf,
  pattern,
  REQUIRED,
  shown,
  string,
  tagged,
} from './shapes.ts';
import { cacheControl, tag } from './sources.ts';

const inputSchema = fields(
  { required: { type: oneOf('object') }, optional: { properties: nullable(object), required: nullable(list(string)) } },
  { open: true },
);

const customTool = fields({
  required: { name: pattern(/^[a-zA-Z0-9_-]{1,128}$/), input_schema: inputSchema },
  optional: {
    type: nullable(oneOf('custom')),
    description: string,
    cache_control: cacheControl,
    strict: boolean,
    defer_loading: boolean,
    eager_input_streaming: nullable(boolean),
    input_examples: list(object),
    allowed_callers: list(string),
  },
});

/** Tools of the provider, each with its dated version behind the name: `web_search_20250305`. */
const providerTool =
  /^(bash|text_editor|computer|computer_toolset|browser_toolset|memory|web_search|web_fetch|code_execution|tool_search_tool_bm25|tool_search_tool_regex|advisor)_\d{8}$/;

const typedTool = fields(
  { required: { type: string }, optional: { name: pattern(/^[a-zA-Z0-9_-]{1,128}$/), cache_control: cacheControl } },
  { open: true },
);

const UNKNOWN_TYPE =
  "is neither 'custom' nor a tool of the provider (bash, text_editor, computer, memory, web_search, web_fetch, code_execution, tool_search_tool_…, each with its date)";

const tool: Check = (value) => {
  if (!isObject(value)) return refuse('Input should be a valid dictionary');
  const type = value['type'];
  if (type === undefined || type === null || type === 'custom' || typeof type !== 'string') {
    const problem = customTool(value);
    // The real API names the member of the union in these two places.
    return problem && /^(name|input_schema)/.test(problem.path) ? within('custom', problem) : problem;
  }
  if (type === 'mcp_toolset')
    return refuse('tools of MCP servers cannot be counted: the server would have to be asked for them', 'type');
  return providerTool.test(type) ? typedTool(value) : refuse(`'${shown(type)}' ${UNKNOWN_TYPE}`, 'type');
};

/** The list of tools; names are unique. */
export const tools: Check = (value) => {
  const problem = list(tool)(value);
  if (problem) return problem;
  const names = new Set<unknown>();
  for (const { name } of value as { name?: string }[]) {
    if (name !== undefined && names.has(name)) return refuse('Tool names must be unique.');
    names.add(name);
  }
  return undefined;
};

const parallel = { disable_parallel_tool_use: boolean };

export const toolChoice = tagged({
  auto: fields({ required: { type: tag }, optional: parallel }),
  any: fields({ required: { type: tag }, optional: parallel }),
  tool: fields({ required: { type: tag, name: string }, optional: parallel }),
  none: fields({ required: { type: tag } }),
});

/** A forced tool must be among the tools. Both have the right shape already. */
export function forcedToolProblem(choice: unknown, offered: unknown): Problem | undefined {
  if (!isObject(choice) || choice['type'] !== 'tool') return undefined;
  const name = choice['name'];
  const found = Array.isArray(offered) && offered.some((candidate: { name?: string }) => candidate.name === name);
  return found
    ? undefined
    : refuse(name === '' ? REQUIRED : `Tool '${shown(String(name))}' not found in provided tools`, 'tool_choice.name');
}

import type { Check } from './problem.ts';
import { refuse, within } from './problem.ts';
import { fields, integer, list, nonEmptyString, nullable, object, oneOf, string, stringOr, tagged } from './shapes.ts';
import { cacheControl, tag, textBlock } from './sources.ts';
import { toolChoice, tools } from './tools.ts';

const MAX_MESSAGES = 100_000;

const display = { display: nullable(oneOf('summarized', 'omitted')) };
const budget = integer(1024);

const enabled = fields({ required: { type: tag, budget_tokens: budget }, optional: display });

const thinking = tagged({
  enabled: (value) => {
    const problem = enabled(value);
    // The real API names the member of the union here.
    return problem?.path === 'budget_tokens' ? within('enabled', problem) : problem;
  },
  disabled: fields({ required: { type: tag } }),
  adaptive: fields({ required: { type: tag }, optional: display }),
  between_tools: fields({ required: { type: tag } }),
});

const outputFormat = nullable(fields({ required: { type: oneOf('json_schema'), schema: object } }));

const outputConfig = fields({
  optional: {
    effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
    format: outputFormat,
    task_budget: nullable(
      fields({ required: { type: oneOf('tokens'), total: integer() }, optional: { remaining: nullable(integer()) } }),
    ),
  },
});

const noServers: Check = (value) =>
  list(object)(value) ??
  ((value as unknown[]).length > 0
    ? refuse('must be empty: tools of MCP servers cannot be counted, the server would have to be asked for them')
    : undefined);

/** The messages are walked one by one elsewhere, with the rules between them; here only that there are some, and not too many. */
const messageList: Check = (value) => {
  if (!Array.isArray(value)) return refuse('Input should be a valid list');
  if (value.length === 0) return refuse('at least one message is required');
  return value.length > MAX_MESSAGES
    ? refuse(`List should have at most ${MAX_MESSAGES} items after validation, not ${value.length}`)
    : undefined;
};

/** The request around its messages. */
export const envelope = fields({
  required: { model: nonEmptyString, messages: messageList },
  optional: {
    system: stringOr(list(tagged({ text: textBlock }))),
    tools,
    tool_choice: toolChoice,
    thinking,
    cache_control: cacheControl,
    output_config: outputConfig,
    output_format: outputFormat,
    context_management: nullable(
      fields({ optional: { edits: list(fields({ required: { type: string } }, { open: true })) } }),
    ),
    speed: nullable(oneOf('standard', 'fast')),
    mcp_servers: nullable(noServers),
    compaction: nullable(object),
    billing_policy: nullable(object),
  },
});

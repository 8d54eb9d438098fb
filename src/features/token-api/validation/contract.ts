import { z } from 'zod';

/**
 * Defines one shape of a count request. The API description and the checks (`request-shape.ts`) are derived from these
 * shapes.
 */
const shape = <T extends string, S extends z.core.$ZodLooseShape>(type: T, fields: S) =>
  z.strictObject({ type: z.literal(type), ...fields });

export const ephemeral = shape('ephemeral', { ttl: z.enum(['5m', '1h']).optional() });
const cacheControl = ephemeral.nullable().meta({ id: 'CacheControl' });
const cached = { cache_control: cacheControl.optional() };
const anyObject = z.record(z.string(), z.unknown());
/** A server tool whose program made a call, by the id of its own call. */
const programCaller = <T extends string>(type: T) => z.looseObject({ type: z.literal(type), tool_id: z.string() });
const caller = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('direct') }),
  programCaller('code_execution_20250825'),
  programCaller('code_execution_20260120'),
]);
const calledBy = { ...cached, caller: caller.optional() };
const nullableText = z.string().nullish();
const identifier = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const serverCallId = z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/);
const toolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-zA-Z0-9_-]{1,128}$/);
/** Name in a call. The real API accepts longer names in calls than in tools. */
const calledName = z.string().min(1).max(200);

const inDocument = {
  cited_text: z.string(),
  document_index: z.number(),
  document_title: nullableText,
  file_id: nullableText,
};

const citation = z
  .discriminatedUnion('type', [
    shape('char_location', { ...inDocument, start_char_index: z.number(), end_char_index: z.number() }),
    shape('page_location', { ...inDocument, start_page_number: z.number(), end_page_number: z.number() }),
    shape('content_block_location', { ...inDocument, start_block_index: z.number(), end_block_index: z.number() }),
    shape('web_search_result_location', {
      cited_text: z.string(),
      encrypted_index: z.string(),
      title: nullableText,
      url: z.string(),
    }),
    shape('search_result_location', {
      cited_text: z.string(),
      search_result_index: z.int(),
      source: z.string(),
      title: nullableText,
      start_block_index: z.int(),
      end_block_index: z.int(),
    }),
  ])
  .meta({ id: 'Citation' });

const textBlock = shape('text', {
  text: z.string(),
  ...cached,
  citations: z.array(citation).nullish(),
}).meta({ id: 'TextBlock' });

const base64 = <T extends z.ZodType>(mediaType: T) => shape('base64', { data: z.string(), media_type: mediaType });
const urlSource = shape('url', { url: z.string().min(1) });

export const imageSource = z.discriminatedUnion('type', [
  base64(z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])),
  urlSource,
]);
const imageBlock = shape('image', {
  source: imageSource,
  ...cached,
  transformations: z.strictObject({ oversized_image: z.enum(['downsize', 'error']).optional() }).nullish(),
}).meta({ id: 'ImageBlock' });

const citationSwitch = z.strictObject({ enabled: z.boolean().optional() });

export const documentSource = z.discriminatedUnion('type', [
  base64(z.literal('application/pdf')),
  shape('text', { data: z.string(), media_type: z.literal('text/plain') }),
  shape('content', {
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]),
  }),
  urlSource,
]);
const documentBlock = shape('document', {
  source: documentSource,
  ...cached,
  citations: citationSwitch.nullish(),
  context: nullableText,
  title: nullableText,
}).meta({ id: 'DocumentBlock' });

const searchResultBlock = shape('search_result', {
  content: z.array(textBlock),
  source: z.string(),
  title: z.string(),
  ...cached,
  citations: citationSwitch.optional(),
}).meta({ id: 'SearchResultBlock' });

const resultContent = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  documentBlock,
  searchResultBlock,
  shape('tool_reference', { tool_name: z.string().min(1), ...cached }),
  shape('browser_state', {
    tabs: z.array(anyObject),
    ...cached,
    state_changes: z.array(anyObject).nullish(),
  }),
]);

const webSearchContent = z.union([
  z.array(
    shape('web_search_result', {
      encrypted_content: z.string(),
      title: z.string(),
      url: z.string(),
      page_age: nullableText,
    }),
  ),
  shape('web_search_tool_result_error', { error_code: z.string() }),
]);

const serverToolName = z.enum([
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
  'advisor',
]);

/** A result block of a server tool. Its content is not checked, because the provider changes it. */
const serverResult = <T extends string>(type: T) =>
  shape(type, { tool_use_id: serverCallId, content: anyObject, ...calledBy });
/** A block of the beta API, which is counted by its text. */
const passing = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

export const contentBlock = z
  .discriminatedUnion('type', [
    textBlock,
    imageBlock,
    documentBlock,
    searchResultBlock,
    shape('thinking', { thinking: z.string(), signature: z.string() }),
    shape('redacted_thinking', { data: z.string() }),
    shape('tool_use', { id: identifier, name: calledName, input: anyObject, ...calledBy, toolset_name: nullableText }),
    shape('tool_result', {
      tool_use_id: identifier,
      ...cached,
      content: z.union([z.string(), z.array(resultContent)]).optional(),
      is_error: z.boolean().optional(),
      toolset_name: nullableText,
    }),
    shape('server_tool_use', { id: serverCallId, name: serverToolName, input: anyObject, ...calledBy }),
    shape('web_search_tool_result', { tool_use_id: serverCallId, content: webSearchContent, ...calledBy }),
    serverResult('web_fetch_tool_result'),
    serverResult('code_execution_tool_result'),
    serverResult('bash_code_execution_tool_result'),
    serverResult('text_editor_code_execution_tool_result'),
    serverResult('tool_search_tool_result'),
    serverResult('advisor_tool_result'),
    shape('container_upload', { file_id: z.string().min(1), ...cached }),
    shape('mcp_tool_use', { id: identifier, name: z.string(), server_name: z.string(), input: anyObject, ...cached }),
    shape('mcp_tool_result', {
      tool_use_id: z.string(),
      ...cached,
      content: z.union([z.string(), z.array(textBlock)]).optional(),
      is_error: z.boolean().optional(),
    }),
    ...(['compaction', 'tool_addition', 'tool_removal', 'mcp_tool_listing', 'fallback'] as const).map(passing),
  ])
  .meta({ id: 'ContentBlock' });

export const role = z.enum(['user', 'assistant']);
const content = z.union([z.string(), z.array(contentBlock)]);
export const turn = z.strictObject({ role, content }).meta({ id: 'Turn' });
const effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish();
/** A message of the role system. Without content it only sets the effort from here on. */
export const systemMessage = z
  .strictObject({
    role: z.literal('system'),
    content: content.optional(),
    clear_at: z.enum(['next_user_message', 'never']).nullish(),
    output_config: z.strictObject({ effort }).nullish(),
  })
  .meta({ id: 'SystemMessage' });
export const message = z.union([systemMessage, turn]).meta({ id: 'Message' });
export const MAX_MESSAGES = 100_000;
export const messages = z.array(message).min(1).max(MAX_MESSAGES);

export const customTool = z
  .strictObject({
    name: toolName,
    input_schema: z.looseObject({
      type: z.literal('object'),
      properties: anyObject.nullish(),
      required: z.array(z.string()).nullish(),
    }),
    type: z.literal('custom').nullish(),
    description: z.string().optional(),
    ...cached,
    strict: z.boolean().optional(),
    defer_loading: z.boolean().optional(),
    eager_input_streaming: z.boolean().nullish(),
    input_examples: z.array(anyObject).optional(),
    allowed_callers: z.array(z.string()).optional(),
  })
  .meta({ id: 'CustomTool' });

/** Names of the provider's tools, each with a version date: `web_search_20250305`. */
export const PROVIDER_TOOL = new RegExp(
  '^(bash|text_editor|computer|computer_toolset|browser_toolset|memory|web_search|web_fetch|code_execution|' +
    'tool_search_tool_bm25|tool_search_tool_regex|advisor)_\\d{8}$|^tool_search_tool_(bm25|regex)$',
);

/** Returns the name that a tool of the provider must have, by the types of its client. Toolsets have none. */
export function getProviderToolName(type: string): string | undefined {
  if (type.includes('_toolset_')) return undefined;
  if (!type.startsWith('text_editor_')) return type.replace(/_\d{8}$/, '');
  return type < 'text_editor_20250429' ? 'str_replace_editor' : 'str_replace_based_edit_tool';
}

export const isNamedAsProvided = ({ type, name }: { type: string; name?: unknown }): boolean =>
  name === undefined || (getProviderToolName(type) ?? name) === name;

export const providerTool = z
  .looseObject({ type: z.string().regex(PROVIDER_TOOL), name: toolName.optional(), ...cached })
  .refine(isNamedAsProvided, 'A tool of the provider has its own name.')
  .meta({ id: 'ProviderTool' });

const toolNames = (list: { name?: unknown }[]): boolean => {
  const named = list.filter((one) => one.name !== undefined).map((one) => one.name);
  return new Set(named).size === named.length;
};

export const tool = z.union([customTool, providerTool]);
export const tools = z.array(tool).refine(toolNames, 'Tool names must be unique.');

const parallel = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z
  .discriminatedUnion('type', [
    shape('auto', parallel),
    shape('any', parallel),
    shape('tool', { name: z.string().min(1), ...parallel }),
    shape('none', {}),
  ])
  .meta({ id: 'ToolChoice' });

const blockBinding = z.strictObject({ prefix_mismatch_behavior: z.enum(['error', 'drop_block']).nullish() });
const display = {
  display: z.enum(['summarized', 'omitted', 'updates']).nullish(),
  block_binding: blockBinding.nullish(),
};
/** Settings of thinking blocks that leave the thinking itself at the model's default. */
export const thinkingBinding = z.strictObject({ block_binding: blockBinding });
export const typedThinking = z.discriminatedUnion('type', [
  shape('enabled', { budget_tokens: z.int().min(1024), ...display }),
  shape('disabled', {}),
  shape('adaptive', display),
  shape('between_tools', {}),
]);
export const thinking = z.union([typedThinking, thinkingBinding]).meta({ id: 'Thinking' });

const amount = <T extends string>(...types: [T, ...T[]]) =>
  z.looseObject({ type: z.enum(types), value: z.int().min(0) }).nullish();
/** Fields of an edit that do not change the count are not checked. */
const contextEdit = z
  .discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('clear_tool_uses_20250919'),
      trigger: amount('input_tokens', 'tool_uses'),
      keep: amount('tool_uses'),
      clear_at_least: amount('input_tokens'),
      clear_tool_inputs: z.union([z.array(z.string()), z.boolean()]).nullish(),
      exclude_tools: z.array(z.string()).nullish(),
    }),
    z.looseObject({ type: z.literal('clear_thinking_20251015') }),
    z.looseObject({ type: z.literal('compact_20260112'), trigger: amount('input_tokens') }),
  ])
  .meta({ id: 'ContextEdit' });

const outputFormat = shape('json_schema', { schema: anyObject }).nullish();

export const mcpServers = z.array(anyObject).max(0);

/** The order of the fields is the order of the checks, as measured on the real API in 2026-08. */
export const countTokensRequest = z
  .strictObject({
    model: z.string().min(1),
    tool_choice: toolChoice.optional(),
    tools: tools.optional(),
    messages,
    system: z.union([z.string(), z.array(textBlock)]).optional(),
    thinking: thinking.optional(),
    output_config: z
      .strictObject({
        effort,
        format: outputFormat,
        task_budget: shape('tokens', { total: z.int().min(20_000), remaining: z.int().nullish() }).nullish(),
      })
      .optional(),
    cache_control: cacheControl.optional(),
    output_format: outputFormat,
    context_management: z.strictObject({ edits: z.array(contextEdit).optional() }).nullish(),
    speed: z.enum(['standard', 'fast']).nullish(),
    mcp_servers: mcpServers.nullish(),
    compaction: anyObject.nullish(),
    billing_policy: anyObject.nullish(),
  })
  .meta({ id: 'CountTokensRequest' });

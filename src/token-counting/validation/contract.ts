import { z } from 'zod';

/**
 * The shape of a request to count, for the interface description. Requests are checked by the files beside, which are written by
 * hand for speed; a property test holds the two to the same answers.
 */
const cacheControl = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullable()
  .meta({ id: 'CacheControl' });
const cached = { cache_control: cacheControl.optional() };
const anyObject = z.record(z.string(), z.unknown());
const calledBy = { ...cached, caller: anyObject.optional() };
const nullableText = z.string().nullable().optional();
const identifier = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);

const inDocument = {
  cited_text: z.string(),
  document_index: z.number(),
  document_title: nullableText,
  file_id: nullableText,
};

const citation = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('char_location'),
      ...inDocument,
      start_char_index: z.number(),
      end_char_index: z.number(),
    }),
    z.strictObject({
      type: z.literal('page_location'),
      ...inDocument,
      start_page_number: z.number(),
      end_page_number: z.number(),
    }),
    z.strictObject({
      type: z.literal('content_block_location'),
      ...inDocument,
      start_block_index: z.number(),
      end_block_index: z.number(),
    }),
    z.strictObject({
      type: z.literal('web_search_result_location'),
      cited_text: z.string(),
      encrypted_index: z.string(),
      title: nullableText,
      url: z.string(),
    }),
    z.strictObject({
      type: z.literal('search_result_location'),
      cited_text: z.string(),
      search_result_index: z.int(),
      source: z.string(),
      title: nullableText,
      start_block_index: z.int(),
      end_block_index: z.int(),
    }),
  ])
  .meta({ id: 'Citation' });

const textBlock = z
  .strictObject({
    type: z.literal('text'),
    text: z.string(),
    ...cached,
    citations: z.array(citation).nullable().optional(),
  })
  .meta({ id: 'TextBlock' });

const urlSource = z.strictObject({ type: z.literal('url'), url: z.string().min(1) });

const imageBlock = z
  .strictObject({
    type: z.literal('image'),
    source: z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('base64'),
        data: z.string(),
        media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      }),
      urlSource,
    ]),
    ...cached,
  })
  .meta({ id: 'ImageBlock' });

const citationSwitch = z.strictObject({ enabled: z.boolean().optional() });

const documentBlock = z
  .strictObject({
    type: z.literal('document'),
    source: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('base64'), data: z.string(), media_type: z.literal('application/pdf') }),
      z.strictObject({ type: z.literal('text'), data: z.string(), media_type: z.literal('text/plain') }),
      z.strictObject({
        type: z.literal('content'),
        content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]),
      }),
      urlSource,
    ]),
    ...cached,
    citations: citationSwitch.nullable().optional(),
    context: nullableText,
    title: nullableText,
  })
  .meta({ id: 'DocumentBlock' });

const searchResultBlock = z
  .strictObject({
    type: z.literal('search_result'),
    content: z.array(textBlock),
    source: z.string(),
    title: z.string(),
    ...cached,
    citations: citationSwitch.optional(),
  })
  .meta({ id: 'SearchResultBlock' });

const resultContent = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  documentBlock,
  searchResultBlock,
  z.strictObject({ type: z.literal('tool_reference'), tool_name: z.string().min(1), ...cached }),
  z.strictObject({
    type: z.literal('browser_state'),
    tabs: z.array(anyObject),
    ...cached,
    state_changes: z.array(anyObject).nullable().optional(),
  }),
]);

const webSearchContent = z.union([
  z.array(
    z.strictObject({
      type: z.literal('web_search_result'),
      encrypted_content: z.string(),
      title: z.string(),
      url: z.string(),
      page_age: nullableText,
    }),
  ),
  z.strictObject({ type: z.literal('web_search_tool_result_error'), error_code: z.string() }),
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

const serverResult = <T extends string>(type: T) =>
  z.strictObject({ type: z.literal(type), tool_use_id: z.string(), content: anyObject, ...calledBy });
const passing = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

export const contentBlock = z
  .discriminatedUnion('type', [
    textBlock,
    imageBlock,
    documentBlock,
    searchResultBlock,
    z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
    z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
    z.strictObject({
      type: z.literal('tool_use'),
      id: identifier,
      name: toolName,
      input: anyObject,
      ...calledBy,
      toolset_name: nullableText,
    }),
    z.strictObject({
      type: z.literal('tool_result'),
      tool_use_id: identifier,
      ...cached,
      content: z.union([z.string(), z.array(resultContent)]).optional(),
      is_error: z.boolean().optional(),
      toolset_name: nullableText,
    }),
    z.strictObject({
      type: z.literal('server_tool_use'),
      id: identifier,
      name: serverToolName,
      input: anyObject,
      ...calledBy,
    }),
    z.strictObject({
      type: z.literal('web_search_tool_result'),
      tool_use_id: z.string(),
      content: webSearchContent,
      ...calledBy,
    }),
    serverResult('web_fetch_tool_result'),
    serverResult('code_execution_tool_result'),
    serverResult('bash_code_execution_tool_result'),
    serverResult('text_editor_code_execution_tool_result'),
    serverResult('tool_search_tool_result'),
    serverResult('advisor_tool_result'),
    z.strictObject({ type: z.literal('container_upload'), file_id: z.string().min(1), ...cached }),
    z.strictObject({
      type: z.literal('mcp_tool_use'),
      id: identifier,
      name: z.string(),
      server_name: z.string(),
      input: anyObject,
      ...cached,
    }),
    z.strictObject({
      type: z.literal('mcp_tool_result'),
      tool_use_id: z.string(),
      ...cached,
      content: z.union([z.string(), z.array(textBlock)]).optional(),
      is_error: z.boolean().optional(),
    }),
    passing('compaction'),
    passing('tool_addition'),
    passing('tool_removal'),
    passing('mcp_tool_listing'),
    passing('fallback'),
  ])
  .meta({ id: 'ContentBlock' });

const message = z
  .strictObject({
    role: z.enum(['user', 'assistant']),
    content: z.union([z.string(), z.array(contentBlock)]),
  })
  .meta({ id: 'Message' });

const customTool = z
  .strictObject({
    name: toolName,
    input_schema: z.looseObject({
      type: z.literal('object'),
      properties: anyObject.nullable().optional(),
      required: z.array(z.string()).nullable().optional(),
    }),
    type: z.literal('custom').nullable().optional(),
    description: z.string().optional(),
    ...cached,
    strict: z.boolean().optional(),
    defer_loading: z.boolean().optional(),
    eager_input_streaming: z.boolean().nullable().optional(),
    input_examples: z.array(anyObject).optional(),
    allowed_callers: z.array(z.string()).optional(),
  })
  .meta({ id: 'CustomTool' });

const providerTool = z
  .looseObject({
    type: z
      .string()
      .regex(
        /^(bash|text_editor|computer|computer_toolset|browser_toolset|memory|web_search|web_fetch|code_execution|tool_search_tool_bm25|tool_search_tool_regex|advisor)_\d{8}$/,
      ),
    name: toolName.optional(),
    ...cached,
  })
  .meta({ id: 'ProviderTool' });

const parallel = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('auto'), ...parallel }),
    z.strictObject({ type: z.literal('any'), ...parallel }),
    z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
    z.strictObject({ type: z.literal('none') }),
  ])
  .meta({ id: 'ToolChoice' });

const display = { display: z.enum(['summarized', 'omitted']).nullable().optional() };
const thinking = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024), ...display }),
    z.strictObject({ type: z.literal('disabled') }),
    z.strictObject({ type: z.literal('adaptive'), ...display }),
    z.strictObject({ type: z.literal('between_tools') }),
  ])
  .meta({ id: 'Thinking' });

const outputFormat = z
  .strictObject({ type: z.literal('json_schema'), schema: anyObject })
  .nullable()
  .optional();

const toolNames = (tools: { name?: unknown }[]): boolean => {
  const named = tools.filter((tool) => tool.name !== undefined).map((tool) => tool.name);
  return new Set(named).size === named.length;
};

export const countTokensRequest = z
  .strictObject({
    model: z.string().min(1),
    messages: z.array(message).min(1).max(100_000),
    system: z.union([z.string(), z.array(textBlock)]).optional(),
    tools: z
      .array(z.union([customTool, providerTool]))
      .refine(toolNames, 'Tool names must be unique.')
      .optional(),
    tool_choice: toolChoice.optional(),
    thinking: thinking.optional(),
    cache_control: cacheControl.optional(),
    output_config: z
      .strictObject({
        effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullable().optional(),
        format: outputFormat,
        task_budget: z
          .strictObject({ type: z.literal('tokens'), total: z.int(), remaining: z.int().nullable().optional() })
          .nullable()
          .optional(),
      })
      .optional(),
    output_format: outputFormat,
    context_management: z
      .strictObject({ edits: z.array(z.looseObject({ type: z.string() })).optional() })
      .nullable()
      .optional(),
    speed: z.enum(['standard', 'fast']).nullable().optional(),
    mcp_servers: z.array(anyObject).max(0).nullable().optional(),
    compaction: anyObject.nullable().optional(),
    billing_policy: anyObject.nullable().optional(),
  })
  .meta({ id: 'CountTokensRequest' });

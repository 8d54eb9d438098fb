import type { Check } from './problem.ts';
import {
  boolean,
  fields,
  list,
  nullable,
  object,
  oneOf,
  pattern,
  string,
  stringOr,
  tagged,
  nonEmptyString,
} from './shapes.ts';
import { cacheControl, citationSwitch, documentSource, imageBlock, tag, textBlock } from './sources.ts';

const identifier = pattern(/^[a-zA-Z0-9_-]+$/);
const cached = { cache_control: cacheControl };
const calledBy = { ...cached, caller: object };

const documentBlock = fields({
  required: { type: tag, source: documentSource },
  optional: { ...cached, citations: nullable(citationSwitch), context: nullable(string), title: nullable(string) },
});

const searchResultBlock = fields({
  required: { type: tag, content: list(tagged({ text: textBlock })), source: string, title: string },
  optional: { ...cached, citations: citationSwitch },
});

const resultContent = list(
  tagged({
    text: textBlock,
    image: imageBlock,
    document: documentBlock,
    search_result: searchResultBlock,
    tool_reference: fields({ required: { type: tag, tool_name: nonEmptyString }, optional: cached }),
    browser_state: fields({
      required: { type: tag, tabs: list(object) },
      optional: { ...cached, state_changes: nullable(list(object)) },
    }),
  }),
);

const webSearchResult = fields({
  required: { type: oneOf('web_search_result'), encrypted_content: string, title: string, url: string },
  optional: { page_age: nullable(string) },
});
const webSearchError = fields({ required: { type: oneOf('web_search_tool_result_error'), error_code: string } });

/** What a tool of the provider's side brought back; the shape inside is the provider's own and changes with it. */
const serverResult = fields({ required: { type: tag, tool_use_id: string, content: object }, optional: calledBy });

/** Blocks of the beta interface that a conversation may hold. */
const passing: Check = fields({ required: { type: tag } }, { open: true });

/** Names of tools that run on the provider's side. */
const serverToolNames = [
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
  'advisor',
] as const;

/** Every content block of a message, by its `type`. */
export const contentBlock = tagged({
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  thinking: fields({ required: { type: tag, thinking: string, signature: string } }),
  redacted_thinking: fields({ required: { type: tag, data: string } }),
  tool_use: fields({
    required: { type: tag, id: identifier, name: pattern(/^[a-zA-Z0-9_-]{1,128}$/), input: object },
    optional: { ...calledBy, toolset_name: nullable(string) },
  }),
  tool_result: fields({
    required: { type: tag, tool_use_id: identifier },
    optional: { ...cached, content: stringOr(resultContent), is_error: boolean, toolset_name: nullable(string) },
  }),
  server_tool_use: fields({
    required: { type: tag, id: identifier, name: oneOf(...serverToolNames), input: object },
    optional: calledBy,
  }),
  web_search_tool_result: fields({
    required: {
      type: tag,
      tool_use_id: string,
      content: (value) => (Array.isArray(value) ? list(webSearchResult)(value) : webSearchError(value)),
    },
    optional: calledBy,
  }),
  web_fetch_tool_result: serverResult,
  code_execution_tool_result: serverResult,
  bash_code_execution_tool_result: serverResult,
  text_editor_code_execution_tool_result: serverResult,
  tool_search_tool_result: serverResult,
  advisor_tool_result: serverResult,
  container_upload: fields({ required: { type: tag, file_id: nonEmptyString }, optional: cached }),
  mcp_tool_use: fields({
    required: { type: tag, id: identifier, name: string, server_name: string, input: object },
    optional: cached,
  }),
  mcp_tool_result: fields({
    required: { type: tag, tool_use_id: string },
    optional: { ...cached, content: stringOr(list(tagged({ text: textBlock }))), is_error: boolean },
  }),
  compaction: passing,
  tool_addition: passing,
  tool_removal: passing,
  mcp_tool_listing: passing,
  fallback: passing,
});

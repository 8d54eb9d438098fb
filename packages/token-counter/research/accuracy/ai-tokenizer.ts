/** Counts with ai-tokenizer's `count` and its constants of the nearest known model. */
import { z } from 'zod';
import type { CountTokensRequest } from '../../src/index.ts';

interface Library {
  Tokenizer: new (encoding: unknown) => unknown;
  models: Record<string, unknown>;
}

interface Sdk {
  count: (options: { tokenizer: unknown; model: unknown; messages: unknown[]; tools?: Record<string, unknown> }) => {
    total: number;
  };
}

/** Returns the nearest model. The package ends at the 4.5 models, so later models use those constants. */
function findNearestModel(model: string): string {
  const rules: [RegExp, string][] = [
    [/3-5-sonnet-20240620/, '3.5-sonnet-20240620'],
    [/3-5-sonnet/, '3.5-sonnet'],
    [/3-5-haiku/, '3.5-haiku'],
    [/3-7/, '3.7-sonnet'],
    [/3-haiku/, '3-haiku'],
    [/3-(?:opus|sonnet)/, '3-opus'],
    [/opus-4-1/, 'opus-4.1'],
    [/opus-4(?:-0|-2025|$)/, 'opus-4'],
    [/sonnet-4(?:-0|-2025|$)/, 'sonnet-4'],
    [/haiku/, 'haiku-4.5'],
    [/opus/, 'opus-4.5'],
  ];
  return `anthropic/claude-${rules.find(([pattern]) => pattern.test(model))?.[1] ?? 'sonnet-4.5'}`;
}

export function createSdkCounter(
  library: Library,
  encoding: unknown,
  sdk: Sdk,
): (request: CountTokensRequest) => number {
  const tokenizer = new library.Tokenizer(encoding);
  return (request) =>
    sdk.count({
      tokenizer,
      model: library.models[findNearestModel(request.model)],
      messages: toSdkMessages(request),
      tools: toSdkTools(request),
    }).total;
}

function toSdkTools(request: CountTokensRequest): Record<string, unknown> {
  return Object.fromEntries(
    (request.tools ?? []).map((tool) => [
      tool.name ?? '',
      { description: tool.description ?? undefined, inputSchema: toZodSchema(tool.input_schema) },
    ]),
  );
}

function toZodSchema(schema: unknown): unknown {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.object({});
  }
}

/** Returns the messages in the format of the AI SDK. Results are messages of the role `tool`. */
function toSdkMessages(request: CountTokensRequest): unknown[] {
  const { system } = request;
  const messages: unknown[] = [];
  const text = typeof system === 'string' ? system : (system ?? []).map((block) => block.text).join('\n');
  if (text !== '') messages.push({ role: 'system', content: text });
  for (const { role, content } of request.messages) {
    if (typeof content === 'string') {
      messages.push({ role, content });
      continue;
    }
    const results = (content ?? []).filter((block) => block.type === 'tool_result');
    if (results.length > 0) {
      messages.push({
        role: 'tool',
        content: results.map((block) => ({
          type: 'tool-result',
          toolCallId: block.tool_use_id,
          output: { type: 'text', value: toPlainText(block.content) },
        })),
      });
    }
    const parts = (content ?? []).flatMap(toSdkParts);
    if (parts.length > 0) messages.push({ role, content: parts });
  }
  return messages;
}

type Block = Exclude<CountTokensRequest['messages'][number]['content'], string | undefined>[number];

function toSdkParts(block: Block): unknown[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'tool_use')
    return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }];
  if (block.type === 'image') return [{ type: 'image' }];
  return block.type === 'document' ? [{ type: 'file' }] : [];
}

function toPlainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((block: { text?: string }) => block.text ?? '').join('\n') : '';
}

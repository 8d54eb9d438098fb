import type { CountTokensRequest } from '../../src/index.ts';

/** Returns all texts of a request in order, with tools and inputs as JSON, for counters that support only texts. */
export function listTexts(request: CountTokensRequest): string[] {
  const texts: string[] = [];
  const { system } = request;
  if (typeof system === 'string') texts.push(system);
  else for (const block of system ?? []) texts.push(block.text);
  for (const tool of request.tools ?? []) texts.push(JSON.stringify(tool));
  for (const message of request.messages) collectTexts(message.content, texts);
  return texts;
}

function collectTexts(content: unknown, texts: string[]): void {
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content as Record<string, unknown>[]) {
    const text = block['text'];
    if (typeof text === 'string') texts.push(text);
    if (block['type'] === 'tool_use') texts.push(JSON.stringify({ name: block['name'], input: block['input'] }));
    if (block['type'] === 'tool_result') collectTexts(block['content'], texts);
    const source = block['source'] as { type?: string; data?: string } | undefined;
    if (source?.type === 'text' && source.data !== undefined) texts.push(source.data);
  }
}

import type { AnswerPart, AnswerUsage, SourceLink, StreamEvent, ToolCall } from '../contract.ts';
import { createLinkFilter } from './filter-links.ts';

/** An answer while it is being written: the state to store and the events that report its changes. */
export type AnswerDraft = ReturnType<typeof createAnswerDraft>;

/**
 * Creates an empty draft. Its text may link to `allowedLinks`, the pages named by earlier answers of the conversation.
 */
export function createAnswerDraft(emit: (event: StreamEvent) => void, allowedLinks: readonly SourceLink[]) {
  const parts: AnswerPart[] = [];
  const usage: AnswerUsage = { counted: 0, input: null, output: 0, calls: 0 };
  const links = new Map(allowedLinks.map((link) => [link.url, link]));
  const hrefs = new Set(allowedLinks.map(({ url }) => normalizeUrl(url)));
  const filter = createLinkFilter((url) => hrefs.has(normalizeUrl(url)));
  const appendText = (text: string): void => {
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.type === 'text') last.text += text;
    else parts.push({ type: 'text', text });
    emit({ type: 'text', text });
  };
  const emitUsage = (): void => emit({ type: 'usage', usage: { ...usage } });
  return {
    usage: usage as Readonly<AnswerUsage>,
    addText: (text: string) => appendText(filter.push(text)),
    /** Emits the buffered text at the end of a text block. */
    endText: () => appendText(filter.end()),
    addCall(call: ToolCall): void {
      const at = parts.findIndex((part) => part.type === 'tool' && part.call.id === call.id);
      if (at === -1) parts.push({ type: 'tool', call });
      else parts[at] = { type: 'tool', call };
      emit({ type: 'tool', call });
    },
    allowLinks(newLinks: readonly SourceLink[]): void {
      for (const link of newLinks) {
        links.set(link.url, link);
        hrefs.add(normalizeUrl(link.url));
      }
    },
    countCall(counted: number): void {
      usage.counted += counted;
      usage.calls += 1;
      emitUsage();
    },
    recordCallUsage({ input, output }: { input: number; output: number }): void {
      usage.input = (usage.input ?? 0) + input;
      usage.output += output;
      emitUsage();
    },
    /** Returns the state to store. */
    snapshot: () => ({
      parts: structuredClone(parts),
      usage: { ...usage },
      links: [...links.values()],
      removed_links: filter.removed,
    }),
  };
}

const normalizeUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

import type { AnswerPart, AnswerUsage, SourceLink, StreamEvent, ToolCall } from '../contract.ts';
import type { Answer } from '../conversations/queries.ts';
import { createLinkFilter } from './filter-links.ts';

/** An answer as it grows: what is stored of it, and the events that tell of it. */
export interface AnswerDraft {
  readonly parts: readonly AnswerPart[];
  readonly usage: AnswerUsage;
  readonly links: readonly SourceLink[];
  readonly removedLinks: number;
  /** Whether a character of text has been said. */
  readonly hasText: boolean;
  addText(text: string): void;
  /** What waits because it may become a link. */
  endText(): void;
  addCall(call: ToolCall): void;
  allowLinks(links: readonly SourceLink[]): void;
  countCall(counted: number): void;
  settleCall(tokens: { input: number; output: number }): void;
  /** The state to store, as it stands. */
  snapshot(): Pick<Answer, 'parts' | 'usage' | 'links' | 'removed_links'>;
}

/** Begins an answer whose text may link to `known` pages, those of earlier answers of the conversation. */
export function createAnswerDraft(emit: (event: StreamEvent) => void, known: readonly SourceLink[]): AnswerDraft {
  const parts: AnswerPart[] = [];
  const usage: AnswerUsage = { counted: 0, input: null, output: 0, calls: 0 };
  const links = new Map(known.map((link) => [link.url, link]));
  const hrefs = new Set(known.map(({ url }) => hrefOf(url)));
  const filter = createLinkFilter((url) => hrefs.has(hrefOf(url)));
  let hasText = false;
  const say = (text: string): void => {
    if (text === '') return;
    hasText = true;
    const last = parts.at(-1);
    if (last?.type === 'text') last.text += text;
    else parts.push({ type: 'text', text });
    emit({ type: 'text', text });
  };
  return {
    parts,
    usage,
    get links() {
      return [...links.values()];
    },
    get removedLinks() {
      return filter.removed;
    },
    get hasText() {
      return hasText;
    },
    addText: (text) => say(filter.push(text)),
    endText: () => say(filter.end()),
    addCall(call) {
      const at = parts.findIndex((part) => part.type === 'tool' && part.call.id === call.id);
      if (at === -1) parts.push({ type: 'tool', call });
      else parts[at] = { type: 'tool', call };
      emit({ type: 'tool', call });
    },
    allowLinks(found) {
      for (const link of found) {
        links.set(link.url, link);
        hrefs.add(hrefOf(link.url));
      }
    },
    countCall(counted) {
      usage.counted += counted;
      usage.calls += 1;
      emit({ type: 'usage', usage: { ...usage } });
    },
    settleCall({ input, output }) {
      usage.input = (usage.input ?? 0) + input;
      usage.output += output;
      emit({ type: 'usage', usage: { ...usage } });
    },
    snapshot: () => ({
      parts: structuredClone(parts),
      usage: { ...usage },
      links: [...links.values()],
      removed_links: filter.removed,
    }),
  };
}

const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

import type Anthropic from '@anthropic-ai/sdk';
import type { SourceLink } from '../contract.ts';
import type { MessageRow } from '../conversations/queries.ts';

/** Maximum number of earlier exchanges sent with a question, and maximum number of their characters. */
const MAX_EXCHANGES = 8;
const MAX_CHARACTERS = 20_000;

/**
 * Returns the earlier exchanges as a model reads them. They are whole, contain only texts, and are the newest that fit.
 */
export function toModelHistory(rows: readonly MessageRow[]): {
  messages: Anthropic.MessageParam[];
  links: SourceLink[];
} {
  const exchanges: { question: string; answer: string; links: SourceLink[] }[] = [];
  for (const [index, row] of rows.entries()) {
    const question = rows[index - 1];
    if (row.role !== 'assistant' || row.status !== 'done' || question?.role !== 'member') continue;
    const answer = row.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (answer.trim() !== '') exchanges.push({ question: question.text!, answer, links: row.links });
  }
  const included: typeof exchanges = [];
  let remainingCharacters = MAX_CHARACTERS;
  for (const exchange of exchanges.toReversed().slice(0, MAX_EXCHANGES)) {
    remainingCharacters -= exchange.question.length + exchange.answer.length;
    if (remainingCharacters < 0) break;
    included.unshift(exchange);
  }
  return {
    messages: included.flatMap(({ question, answer }): Anthropic.MessageParam[] => [
      { role: 'user', content: [{ type: 'text', text: question }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
    ]),
    links: included.flatMap(({ links }) => links),
  };
}

const timestampFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'America/New_York',
});

/** Returns the question as sent to the model, with the current time and the symbol in question. */
export const toUserMessage = (text: string, symbol: string | null, now: Date): Anthropic.MessageParam => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: `It is ${timestampFormat.format(now)} in New York.${symbol === null ? '' : ` About ${symbol}.`}`,
    },
    { type: 'text', text },
  ],
});

import type Anthropic from '@anthropic-ai/sdk';
import type { SourceLink } from '../contract.ts';
import type { MessageRow } from '../conversations/queries.ts';

/** Earlier exchanges that go with a question, and characters of them. */
const MOST_EXCHANGES = 8;
const MOST_CHARACTERS = 20_000;

/** What was asked and answered before, as a model reads it: whole exchanges, their texts alone, the newest that fit. */
export function historyOf(rows: readonly MessageRow[]): { messages: Anthropic.MessageParam[]; links: SourceLink[] } {
  const exchanges: { question: string; answer: string; links: SourceLink[] }[] = [];
  for (const [at, row] of rows.entries()) {
    const question = rows[at - 1];
    if (row.role !== 'assistant' || row.status !== 'done' || question?.role !== 'member') continue;
    const answer = row.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (answer.trim() !== '') exchanges.push({ question: question.text!, answer, links: row.links });
  }
  const kept: typeof exchanges = [];
  let room = MOST_CHARACTERS;
  for (const exchange of exchanges.toReversed().slice(0, MOST_EXCHANGES)) {
    room -= exchange.question.length + exchange.answer.length;
    if (room < 0) break;
    kept.unshift(exchange);
  }
  return {
    messages: kept.flatMap(({ question, answer }): Anthropic.MessageParam[] => [
      { role: 'user', content: [{ type: 'text', text: question }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
    ]),
    links: kept.flatMap(({ links }) => links),
  };
}

const today = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  timeZone: 'America/New_York',
});

/** The question as it is sent: with the moment, and the symbol that it is about. */
export const questionOf = (text: string, symbol: string | null, now: Date): Anthropic.MessageParam => ({
  role: 'user',
  content: [
    { type: 'text', text: `It is ${today.format(now)} in New York.${symbol === null ? '' : ` About ${symbol}.`}` },
    { type: 'text', text },
  ],
});

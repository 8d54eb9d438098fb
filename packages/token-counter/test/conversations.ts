import fc from 'fast-check';
import type { ContentBlock, Message } from '../src/request-types.ts';

/** Texts at whose ends the pieces of role markers and contents may merge. */
const text = fc.oneof(
  fc.constantFrom('Hi', 'x\n\n', '\n\nAnd then?', "'s it", '12', '\u6587\u3002', ' a ', '(see above)\n'),
  fc.lorem({ mode: 'sentences', maxCount: 4 }),
);

const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const document: ContentBlock = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'It rains. It pours.' },
  citations: { enabled: true },
};

/** Calls of one answer, with the results that follow them. */
interface Round {
  calls: number;
  text: string | null;
  isThinking: boolean;
  result: string;
  /** Text of the user beside the results. */
  remark: string | null;
}

const round: fc.Arbitrary<Round> = fc.record({
  calls: fc.integer({ min: 1, max: 3 }),
  text: fc.option(text),
  isThinking: fc.boolean(),
  result: text,
  remark: fc.option(text),
});

interface Turn {
  texts: string[];
  extra: ContentBlock | null;
  systemText: string | null;
  rounds: Round[];
  /** The answer after a search. */
  search: string | null;
  answer: string | null;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  texts: fc.array(text, { minLength: 1, maxLength: 2 }),
  extra: fc.option(fc.constantFrom(image, document), { freq: 5 }),
  systemText: fc.option(text, { freq: 4 }),
  rounds: fc.array(round, { maxLength: 3 }),
  search: fc.option(text, { freq: 4 }),
  answer: fc.option(text, { freq: 8 }),
});

/**
 * Returns conversations that the API accepts, with calls, results, thinking, media and consecutive user messages. The
 * last message is a user message.
 * @param hasSystemTurns whether some have system messages, which only newer models accept
 */
export function createConversations(hasSystemTurns: boolean, maxTurns: number): fc.Arbitrary<Message[]> {
  return fc
    .array(turn, { minLength: 1, maxLength: maxTurns })
    .map((turns) => [
      ...turns.flatMap((each, index) => createTurn(each, hasSystemTurns, index)),
      { role: 'user', content: 'Go on.' },
    ]);
}

function createTurn({ texts, extra, systemText, rounds, search, answer }: Turn, hasSystem: boolean, turn: number) {
  const messages: Message[] = texts.map((content) => ({ role: 'user', content }));
  if (extra) messages.push({ role: 'user', content: [extra, { type: 'text', text: 'Look at it.' }] });
  const willAnswer = rounds.length > 0 || search !== null || answer !== null;
  if (hasSystem && systemText !== null && willAnswer) messages.push({ role: 'system', content: systemText });
  for (const [index, each] of rounds.entries()) messages.push(...createRound(each, `call_${turn}_${index}`));
  if (search !== null) messages.push({ role: 'assistant', content: createSearch(search, `srvtoolu_${turn}`) });
  if (answer !== null) messages.push({ role: 'assistant', content: answer });
  return messages;
}

function createRound({ calls, text, isThinking, result, remark }: Round, id: string): Message[] {
  const ids = Array.from({ length: calls }, (_, call) => `${id}_${call}`);
  const answer: ContentBlock[] = ids.map((id) => ({ type: 'tool_use', id, name: 'look_up', input: { query: result } }));
  if (text !== null) answer.unshift({ type: 'text', text });
  if (isThinking) answer.unshift({ type: 'thinking', thinking: 'I should look it up.', signature: 'c2lnbmVk' });
  const results: ContentBlock[] = ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: result }));
  if (remark !== null) results.push({ type: 'text', text: remark });
  return [
    { role: 'assistant', content: answer },
    { role: 'user', content: results },
  ];
}

const createSearch = (answer: string, id: string): ContentBlock[] => [
  { type: 'server_tool_use', id, name: 'tool_search_tool_regex', input: { query: 'weather' } },
  {
    type: 'tool_search_tool_result',
    tool_use_id: id,
    content: { type: 'tool_search_tool_search_result', tool_references: [] },
  },
  { type: 'text', text: answer },
];

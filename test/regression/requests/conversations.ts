import { seeded } from '../../support/seeded.ts';
import { assistant, type Block, type Named, of, text, user } from './body.ts';
import { languages } from './languages.ts';
import { notations } from './notations.ts';

const ask = user('When does the ferry leave?');
const thought = {
  type: 'thinking',
  thinking: 'They ask for the time; dawn is at 5:40.',
  signature: 'c2lnbmF0dXJlIG9mIG91cnM=',
};
const sealed = { type: 'redacted_thinking', data: 'c2VhbGVkIHRob3VnaHRzIG9mIG91cnM='.repeat(6) };

/** Turns, system texts, thinking of earlier turns, beginnings of answers. */
export const conversations: readonly Named[] = [
  of('three turns', [ask, assistant('At dawn.'), user('And back?')]),
  of('turns of one role are merged', [
    ask,
    user('And back?'),
    assistant('At dawn.'),
    assistant('At dusk.'),
    user('Thanks'),
  ]),
  of('the beginning of an answer', [ask, assistant('The ferry leaves at')]),
  of('an empty last answer', [ask, assistant('')]),
  of('an empty last answer of no blocks', [ask, assistant([])]),
  of('an answer that ends in blanks', [ask, assistant('At dawn: \n')]),
  of('several text blocks', [user([text('First.'), text(' Second.'), text('\nThird.')])]),
  of('the conversation begins with the assistant', [assistant('Hello, how can I help?'), ask]),
  of('a system text', [ask], { system: 'You are the keeper of a harbour. Answer in one sentence.' }),
  of('an empty system text', [ask], { system: '' }),
  of('a system text with blanks around it', [ask], { system: '\n  You are the keeper.  \n' }),
  of('system blocks', [ask], {
    system: [text('You are the keeper.'), text('Be brief.', { cache_control: { type: 'ephemeral' } })],
  }),
  of('no system blocks', [ask], { system: [] }),
  of('thinking before the last turn', [ask, assistant([thought, text('At dawn.')]), user('And back?')]),
  of('thinking in the last turn', [ask, assistant([thought, text('At')])], {
    thinking: { type: 'enabled', budget_tokens: 2048 },
  }),
  of('sealed thinking', [ask, assistant([sealed, thought, text('At dawn.')]), user('And back?')]),
  of('thinking around a call', [
    ask,
    assistant([thought, { type: 'tool_use', id: 'call_1', name: 'tide', input: {} }]),
    user([{ type: 'tool_result', tool_use_id: 'call_1', content: '2 m' }]),
  ]),
];

/** Conversations put together by chance, with a fixed seed: any block next to any other. */
export function mixedConversations(count: number): Named[] {
  const draw = seeded(11);
  const texts = [...Object.values(languages), ...Object.values(notations)];
  const words = (): string => texts[draw(texts.length)]!;
  return Array.from({ length: count }, (_, at) => {
    const messages: Block[] = [];
    for (let turn = 0, turns = 1 + draw(3); turn < turns; turn++) {
      const id = `call_${turn}`;
      messages.push(user([text(words()), ...(draw(2) === 0 ? [{ type: 'document', source: plain(words()) }] : [])]));
      const call = { type: 'tool_use', id, name: 'note', input: { line: words(), at: draw(10_000) } };
      messages.push(assistant([...(draw(2) === 0 ? [thought] : []), text(`${words()}.`), call]));
      messages.push(user([{ type: 'tool_result', tool_use_id: id, content: words(), is_error: draw(3) === 0 }]));
    }
    const tool = {
      name: 'note',
      description: words(),
      input_schema: { type: 'object', properties: { line: { type: 'string' } } },
    };
    return of(`mixed ${at + 1}`, messages, {
      ...(draw(2) === 0 && { system: words() }),
      ...(draw(2) === 0 && { tools: [tool] }),
    });
  });
}

const plain = (data: string): Block => ({ type: 'text', media_type: 'text/plain', data });

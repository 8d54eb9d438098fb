import { seeded } from '../../support/seeded.ts';
import {
  createAssistantMessage,
  type Block,
  type NamedRequest,
  toNamedRequest,
  createText,
  createUserMessage,
} from './body.ts';
import { languages } from './languages.ts';
import { notations } from './notations.ts';

const ask = createUserMessage('When does the ferry leave?');
const createThinkingBlock = {
  type: 'thinking',
  thinking: 'They ask for the time; dawn is at 5:40.',
  signature: 'c2lnbmF0dXJlIG9mIG91cnM=',
};
const encryptedThinking = { type: 'redacted_thinking', data: 'c2VhbGVkIHRob3VnaHRzIG9mIG91cnM='.repeat(6) };

/** Requests with turns, system texts, earlier thinking and prefilled answers. */
export const conversations: readonly NamedRequest[] = [
  toNamedRequest('three turns', [ask, createAssistantMessage('At dawn.'), createUserMessage('And back?')]),
  toNamedRequest('turns of one role are merged', [
    ask,
    createUserMessage('And back?'),
    createAssistantMessage('At dawn.'),
    createAssistantMessage('At dusk.'),
    createUserMessage('Thanks'),
  ]),
  toNamedRequest('the beginning of an answer', [ask, createAssistantMessage('The ferry leaves at')]),
  toNamedRequest('an empty last answer', [ask, createAssistantMessage('')]),
  toNamedRequest('an empty last answer of no blocks', [ask, createAssistantMessage([])]),
  toNamedRequest('an answer that ends in blanks', [ask, createAssistantMessage('At dawn: \n'), ask]),
  toNamedRequest('several text blocks', [
    createUserMessage([createText('First.'), createText(' Second.'), createText('\nThird.')]),
  ]),
  toNamedRequest('the conversation begins with the assistant', [createAssistantMessage('Hello, how can I help?'), ask]),
  toNamedRequest('a system text', [ask], { system: 'You are the keeper of a harbour. Answer in one sentence.' }),
  toNamedRequest('an empty system text', [ask], { system: '' }),
  toNamedRequest('a system text with blanks around it', [ask], { system: '\n  You are the keeper.  \n' }),
  toNamedRequest('system blocks', [ask], {
    system: [createText('You are the keeper.'), createText('Be brief.', { cache_control: { type: 'ephemeral' } })],
  }),
  toNamedRequest('no system blocks', [ask], { system: [] }),
  toNamedRequest('thinking before the last turn', [
    ask,
    createAssistantMessage([createThinkingBlock, createText('At dawn.')]),
    createUserMessage('And back?'),
  ]),
  toNamedRequest('thinking in the last turn', [ask, createAssistantMessage([createThinkingBlock, createText('At')])], {
    thinking: { type: 'enabled', budget_tokens: 2048 },
  }),
  toNamedRequest('sealed thinking', [
    ask,
    createAssistantMessage([encryptedThinking, createThinkingBlock, createText('At dawn.')]),
    createUserMessage('And back?'),
  ]),
  toNamedRequest(
    'thinking around a call',
    [
      ask,
      createAssistantMessage([createThinkingBlock, { type: 'tool_use', id: 'call_1', name: 'tide', input: {} }]),
      createUserMessage([{ type: 'tool_result', tool_use_id: 'call_1', content: '2 m' }]),
    ],
    { thinking: { type: 'enabled', budget_tokens: 2048 } },
  ),
];

/** Conversations that only newer models accept. */
export const systemMessages: readonly NamedRequest[] = [
  toNamedRequest('a system message in the conversation', [ask, { role: 'system', content: 'Be brief.' }]),
  toNamedRequest('system messages before an answer', [
    ask,
    { role: 'system', content: [createText('Be brief.')] },
    { role: 'system', content: 'Answer in one line.' },
    createAssistantMessage('At dawn.'),
    createUserMessage('And back?'),
  ]),
  toNamedRequest('a system message that a later user message hides', [
    ask,
    { role: 'system', content: 'Be brief.', clear_at: 'next_user_message' },
    createAssistantMessage('At dawn.'),
    createUserMessage('And back?'),
  ]),
  toNamedRequest('a system message that is never hidden', [
    ask,
    { role: 'system', content: 'Be brief.', clear_at: 'never', output_config: null },
  ]),
  toNamedRequest('a system message that sets the effort', [
    ask,
    { role: 'system', content: 'Be brief.', clear_at: null, output_config: { effort: 'low' } },
  ]),
];

/** Creates random conversations with a fixed seed, in which any block may follow any other. */
export function createMixedConversations(count: number): NamedRequest[] {
  const draw = seeded(11);
  const texts = [...Object.values(languages), ...Object.values(notations)];
  const drawText = (): string => texts[draw(texts.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const messages: Block[] = [];
    for (let turn = 0, turns = 1 + draw(3); turn < turns; turn++) {
      const id = `call_${turn}`;
      messages.push(
        createUserMessage([
          createText(drawText()),
          ...(draw(2) === 0 ? [{ type: 'document', source: plain(drawText()) }] : []),
        ]),
      );
      const call = { type: 'tool_use', id, name: 'note', input: { line: drawText(), at: draw(10_000) } };
      messages.push(
        createAssistantMessage([...(draw(2) === 0 ? [createThinkingBlock] : []), createText(`${drawText()}.`), call]),
      );
      messages.push(
        createUserMessage([{ type: 'tool_result', tool_use_id: id, content: drawText(), is_error: draw(3) === 0 }]),
      );
    }
    const tool = {
      name: 'note',
      description: drawText(),
      input_schema: { type: 'object', properties: { line: { type: 'string' } } },
    };
    return toNamedRequest(`mixed ${index + 1}`, messages, {
      thinking: { type: 'adaptive' },
      ...(draw(2) === 0 && { system: drawText() }),
      ...(draw(2) === 0 && { tools: [tool] }),
    });
  });
}

const plain = (data: string): Block => ({ type: 'text', media_type: 'text/plain', data });

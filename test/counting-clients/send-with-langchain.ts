/** Sends a conversation with a tool call and its result through LangChain, to the base URL of the environment. */
import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';

const { ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_MODEL } = process.env;
const model = new ChatAnthropic({
  model: ANTHROPIC_MODEL ?? '',
  apiKey: 'unused',
  streaming: true,
  clientOptions: { baseURL: ANTHROPIC_BASE_URL, apiKey: null, authToken: ANTHROPIC_AUTH_TOKEN },
});
const tideTable = {
  name: 'tide_table',
  description: 'Tide times of a port',
  input_schema: { type: 'object' as const, properties: { port: { type: 'string' } }, required: ['port'] },
};
const answer = await model
  .bindTools([tideTable])
  .invoke([
    new SystemMessage('Answer in one line.'),
    new HumanMessage('When is high water in Brest?'),
    new AIMessage({ content: '', tool_calls: [{ id: 'toolu_01', name: 'tide_table', args: { port: 'Brest' } }] }),
    new ToolMessage({ tool_call_id: 'toolu_01', content: '06:12' }),
  ]);
console.log(answer.text);

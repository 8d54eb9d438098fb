/** Sends one message with a tool and an image through the AI SDK, to the base URL of the environment. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { jsonSchema, streamText, tool } from 'ai';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const { ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_MODEL } = process.env;
const anthropic = createAnthropic({ baseURL: `${ANTHROPIC_BASE_URL}/v1`, authToken: ANTHROPIC_AUTH_TOKEN });
const tideTable = tool({
  description: 'Tide times of a port',
  inputSchema: jsonSchema({ type: 'object', properties: { port: { type: 'string' } }, required: ['port'] }),
});
const { text } = streamText({
  model: anthropic(ANTHROPIC_MODEL ?? ''),
  system: 'Answer in one line.',
  tools: { tide_table: tideTable },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Which port is this?' },
        { type: 'file', mediaType: 'image/png', data: PIXEL },
      ],
    },
  ],
});
console.log(await text);

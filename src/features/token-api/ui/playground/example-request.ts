/** The request that the page shows first. */
export const EXAMPLE_REQUEST = JSON.stringify(
  {
    model: 'claude-sonnet-5',
    system: 'You answer questions about the weather in one sentence.',
    messages: [{ role: 'user', content: 'What is the weather like in Lisbon today?' }],
    tools: [
      {
        name: 'get_weather',
        description: 'Returns the current weather of a place.',
        input_schema: {
          type: 'object',
          properties: { place: { type: 'string', description: 'City and country' } },
          required: ['place'],
        },
      },
    ],
  },
  null,
  2,
);

/** Example request of the developers’ page. */
export const exampleRequest = {
  model: 'claude-sonnet-5',
  system: 'You are a scientist',
  messages: [{ role: 'user', content: 'Hello, Claude' }],
} as const;

/** Token count of the example request. test/e2e/pages.e2e.ts compares the count with the running service. */
export const exampleCount = 20;

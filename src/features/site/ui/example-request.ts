/** The request on the landing page. */
export const exampleRequest = {
  model: 'claude-sonnet-4-6',
  system: 'You are a scientist',
  messages: [{ role: 'user', content: 'Hello, Claude' }],
} as const;

/** Its count; test/e2e/pages.e2e.ts asks the running service and compares. */
export const exampleCount = 15;

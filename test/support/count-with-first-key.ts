import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstRun } from '../../src/installation/first-run.ts';

/** Counts a request with the API key that the first start wrote into the data directory. Returns the response's status. */
export async function countWithFirstKey(serviceUrl: string, dataDir: string): Promise<number> {
  const { api_key: apiKey } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
  const response = await fetch(`${serviceUrl}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'svc-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return response.status;
}

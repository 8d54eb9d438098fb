import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from './fixtures.ts';

test('counts for a page of another origin that confirms browser access', async ({ visit, service }) => {
  const page = await visit({ expected: [/^request to elsewhere: /] });
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Other site'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);

  const answer = await page.evaluate(
    async ({ url, key }) => {
      const response = await fetch(`${url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'anthropic-version': '2023-06-01',
          'anthropic-dangerous-direct-browser-access': 'true',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      return {
        body: (await response.json()) as { input_tokens?: number },
        requestId: response.headers.get('request-id'),
      };
    },
    { url: service.url, key: service.firstRun.api_key },
  );

  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  assert.equal(typeof answer.body.input_tokens, 'number', JSON.stringify(answer.body));
  assert.match(answer.requestId ?? '', /^req_/);
});

import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Starts an upstream that echoes every call: address, headers and body in turn as each of them. */
export async function startRecordedUpstream() {
  let calls = 0;
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const call = JSON.stringify([request.url, request.headers, Buffer.concat(parts).toString()]);
      seen.push(call);
      const error = JSON.stringify({ error: { message: call, type: call, code: call }, error_message: call });
      const responses = [
        [400, error],
        [500, `<html>${call}</html>`],
        [401, error],
        [200, `{"data": ${call}`],
        [429, error],
      ] as const;
      const [status, body] = responses[calls++ % responses.length]!;
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'upstream' }).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns everything received as text. */
    text: (): string => seen.join('\n'),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The baseline: a Node server that reads the body, parses it and responds with a number. Prints its URL. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()) as {
      messages: unknown[];
    };
    const answer = JSON.stringify({ input_tokens: body.messages.length });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

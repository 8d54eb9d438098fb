/**
 * The baseline: a Node server that reads the body, parses it and responds with a number, which with `--count` is the
 * count of the library. Prints its URL.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CountTokensRequest, countInputTokens } from '../../packages/token-counter/src/index.ts';

const answer = process.argv.includes('--count')
  ? countInputTokens
  : ({ messages }: CountTokensRequest): number => messages.length;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(
      (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString(),
    ) as CountTokensRequest;
    const json = JSON.stringify({ input_tokens: answer(body) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
    response.end(json);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

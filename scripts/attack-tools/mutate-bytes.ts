import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';

const ROUNDS = 400;
const ANSWER_MS = 3_000;

const BODY = '{"model":"claude-opus-4-6","messages":[{"role":"user","content":"How many tokens are these?"}]}';

/** Requests as bytes, with a credential each where one is needed. */
function requestsFor(host: string, key: string, token: string): string[] {
  const head = (line: string, ...headers: readonly string[]): string =>
    [line, `host: ${host}`, ...headers, 'connection: close', '', ''].join('\r\n');
  const json = (length: number) => ['content-type: application/json', `content-length: ${length}`];
  const add = '{"symbol":"AAPL"}';
  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  return [
    head('GET /api/watchlist HTTP/1.1', `authorization: Bearer ${token}`),
    head('POST /api/watchlist HTTP/1.1', `authorization: Bearer ${token}`, ...json(add.length)) + add,
    head('POST /v1/messages/count_tokens HTTP/1.1', `x-api-key: ${key}`, ...json(BODY.length)) + BODY,
    head('POST /v1/messages/count_tokens HTTP/1.1', `x-api-key: ${key}`, 'transfer-encoding: chunked') + chunked,
    head('GET /api/investments/search?q=apple&limit=5 HTTP/1.1', `authorization: Bearer ${token}`),
  ];
}

/** Sends requests whose bits zzuf has flipped, each on a connection of its own; counts the statuses of the answers. */
export async function mutateBytes(url: string, key: string, token: () => Promise<string>): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const statuses = new Map<string, number>();
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const requests = requestsFor(host, key, await token());
    // From one bit in ten requests to thirty bits in each.
    const ratio = String(0.000_05 * 4 ** (Math.floor(seed / requests.length) % 5));
    const input = Buffer.from(requests[seed % requests.length]!);
    const { stdout } = spawnSync('zzuf', ['-s', String(seed), '-r', ratio], { input });
    const status = await answerTo(Number(port), hostname, stdout);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const counted = [...statuses].toSorted(([a], [b]) => a.localeCompare(b)).map(([status, n]) => `${n} × ${status}`);
  return `${ROUNDS} requests: ${counted.join(', ')}`;
}

/** The status of the first answer; `waits` where the service waits for more, which a flipped length may ask for. */
const answerTo = (port: number, host: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, host, () => socket.write(bytes));
    const end = (silent: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? silent);
    };
    const timer = setTimeout(() => end('waits'), ANSWER_MS);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', () => end('closed'));
    socket.on('error', () => end('closed'));
  });

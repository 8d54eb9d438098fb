import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  path: string;
  params: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface FakeResponse {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Observed failures of providers. */
export const faults = {
  'too many requests': (response: ServerResponse) =>
    send(response, 429, '{"error":"Too many"}', { 'retry-after': '7' }),
  'too many requests until a date': (response: ServerResponse) =>
    send(response, 429, '', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
  'payment required': (response: ServerResponse) =>
    send(response, 402, 'Premium Query Parameter: this value is not available under your current subscription'),
  forbidden: (response: ServerResponse) => send(response, 403, `{"error":"You don't have access to this resource."}`),
  'an error object with 200': (response: ServerResponse) => send(response, 200, '{"Error Message":"Something broke"}'),
  'a limit reported with 200': (response: ServerResponse) =>
    send(response, 200, '{"Error Message":"Limit Reach . Please upgrade your plan"}'),
  'an HTML page with 200': (response: ServerResponse) =>
    send(response, 200, '<!doctype html><h1>Maintenance</h1>', { 'content-type': 'text/html' }),
  'JSON cut short': (response: ServerResponse) => send(response, 200, '[{"symbol":"AAPL","price":'),
  'null with 200': (response: ServerResponse) => send(response, 200, 'null'),
  'a number with 200': (response: ServerResponse) => send(response, 200, '42'),
  'an empty body': (response: ServerResponse) => send(response, 200, ''),
  'a server error': (response: ServerResponse) => send(response, 500, '{"error":"oops"}'),
  'a bad gateway': (response: ServerResponse) => send(response, 502, '<html>'),
  'a wrong key': (response: ServerResponse) => send(response, 401, '{"Error Message":"Invalid API KEY."}'),
  'a redirect to another host': (response: ServerResponse, targetUrl: string) =>
    send(response, 302, '', { location: targetUrl }),
  'a closed connection': (response: ServerResponse) => {
    response.destroy();
  },
  'no answer at all': () => {},
  'a body without end': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  },
  'a body that is too large': (response: ServerResponse) => send(response, 200, `[${'"x",'.repeat(2_500_000)}"x"]`),
} as const;

export type Fault = keyof typeof faults;

export interface FaultyServer {
  url: string;
  /** Received requests, in order. */
  requests: FakeRequest[];
  /** Requests to the host of the redirects, which always responds correctly. */
  redirectedRequests: FakeRequest[];
  /** Makes every further request fail in this way, after `after` successful ones. `undefined` ends the failures. */
  failWith(fault: Fault | undefined, after?: number): void;
  close(): Promise<void>;
}

/** Starts a local provider that responds with `respond` until a failure is set. */
export async function startFaultyServer(respond: (request: FakeRequest) => FakeResponse): Promise<FaultyServer> {
  const requests: FakeRequest[] = [];
  const redirectedRequests: FakeRequest[] = [];
  let fault: Fault | undefined;
  let sparedRequests = 0;
  const startListener = (receivedRequests: FakeRequest[], isFaulty: boolean) =>
    startServer((incoming, response) => {
      const url = new URL(incoming.url ?? '/', 'http://fake');
      const request = { path: url.pathname, params: url.searchParams, headers: incoming.headers };
      receivedRequests.push(request);
      if (isFaulty && fault && sparedRequests-- <= 0)
        return faults[fault](response, `${otherServer.url}${incoming.url}`);
      const { status = 200, headers = {}, body } = respond(request);
      send(response, status, typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), headers);
    });
  const faultyServer = await startListener(requests, true);
  const otherServer = await startListener(redirectedRequests, false);
  return {
    url: faultyServer.url,
    requests,
    redirectedRequests,
    failWith(next, after = 0) {
      fault = next;
      sparedRequests = after;
    },
    close: async () => {
      await Promise.all([faultyServer.close(), otherServer.close()]);
    },
  };
}

async function startServer(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

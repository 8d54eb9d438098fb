/** An untrusted host for the tests, and a network that resolves names to it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { BodyMemoryBudget } from '../../src/features/token-api/endpoint/body-memory-budget.ts';
import {
  createFetchMedia,
  type FetchedMedia,
  type FetchMediaOptions,
} from '../../src/features/token-api/url-media/fetch-media.ts';
import type { UrlNetwork } from '../../src/features/token-api/url-media/network.ts';
import { UrlFetchLimiter } from '../../src/features/token-api/url-media/url-fetch-limiter.ts';
import type { RequestedUrl } from '../../src/features/token-api/url-media/requested-url.ts';
import type { TestScope } from './test-scope.ts';

export interface UntrustedHost {
  /** Resolves `http://files.test/…` to this host and no other name, unless the test overrides it. */
  network: UrlNetwork;
  /** Received requests. */
  requests: IncomingMessage[];
  /** Looked-up names. */
  lookups: string[];
  /** Open connections. */
  open: Set<Socket>;
}

/** Listens only on this machine. Its network allows only the address 127.0.0.1. */
export async function startUntrustedHost(
  t: TestScope,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  resolve: (name: string) => string[] = (name) => (name === 'files.test' ? ['127.0.0.1'] : []),
): Promise<UntrustedHost> {
  const requests: IncomingMessage[] = [];
  const lookedUp: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('connection', (socket) => open.add(socket.on('close', () => open.delete(socket)).on('error', () => {})));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of open) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const network: UrlNetwork = {
    resolve: async (name) => {
      lookedUp.push(name);
      return resolve(name);
    },
    allows: (address) => address === '127.0.0.1',
    port: () => port,
  };
  return { network, requests, lookups: lookedUp, open };
}

/**
 * Fetches URLs like one request of an organization. No other request limits it, unless `options` contain another budget.
 */
export function createFetcher(
  network: UrlNetwork,
  urls: readonly string[],
  kind: RequestedUrl['kind'] = 'image',
  options: Partial<FetchMediaOptions> = {},
  clientClosed?: AbortSignal,
): Promise<FetchedMedia> {
  const fetchMedia = createFetchMedia({
    enabled: true,
    network,
    budget: new UrlFetchLimiter(),
    memory: new BodyMemoryBudget(512 * 1024 * 1024),
    ...options,
  });
  const requestedUrl = urls.map((url, index) => ({ path: `messages.0.content.${index}`, kind, url }));
  return fetchMedia(requestedUrl, 'organisation', clientClosed ?? new AbortController().signal);
}

/** Returns the outcome of a fetch in one line: the number of files, or the message of the rejection. */
export async function getOutcome(fetching: Promise<FetchedMedia>): Promise<string> {
  const media = await fetching;
  return media.ok ? `${media.fetched.length} fetched` : media.message;
}

/** Returns a GIF of this size in pixels, padded to a length in bytes. */
export function createGif(width: number, height: number, bytes = 64): Buffer {
  const gif = Buffer.alloc(bytes);
  gif.write('GIF89a');
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return gif;
}

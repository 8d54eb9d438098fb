import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** Idle timeout in ms, before and after the connection is open. */
const IDLE_TIMEOUT_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum number of interim responses (1xx) before the final one. */
const MAX_INTERIM_RESPONSES = 4;

interface PinnedRequest {
  url: URL;
  /** Checked addresses. The connection uses one of them without another lookup. */
  addresses: readonly string[];
  port: number;
  accept: string;
  signal: AbortSignal;
}

export interface PinnedResponse {
  response: IncomingMessage;
  /** Returns whether this side aborted. A body without a length looks complete even then. */
  wasAborted: () => boolean;
}

/**
 * Sends one GET and resolves with the response headers for any status. The body has not been read yet. Uses a new
 * connection without cookies, referrer or proxy. Rejects if there is no response.
 */
export function openPinned({ url, addresses, port, accept, signal }: PinnedRequest): Promise<PinnedResponse> {
  const options: RequestOptions = {
    method: 'GET',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      'user-agent': 'Tally-Token-Counter/1.0 (URL sources)',
      accept,
      'accept-encoding': 'identity',
    },
    agent: false,
    lookup: createPinnedLookup(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: IDLE_TIMEOUT_MS,
    signal,
  };
  return new Promise((resolve, reject) => {
    // Set this explicitly: an environment variable could disable certificate checks for the process.
    const request =
      url.protocol === 'https:' ? requestHttps({ ...options, rejectUnauthorized: true }) : requestHttp(options);
    let interimCount = 0;
    let isIdle = false;
    request.on('timeout', () => {
      isIdle = true;
      request.destroy(new Error('connection idle timeout'));
    });
    request.on('information', () => {
      interimCount += 1;
      if (interimCount > MAX_INTERIM_RESPONSES) request.destroy(new Error('too many interim responses'));
    });
    request.on('response', (response) => resolve({ response, wasAborted: () => isIdle || signal.aborted }));
    request.on('error', reject);
    request.on('close', () => reject(new Error('connection closed without a response')));
    request.end();
  });
}

/** Returns a lookup function that always returns the checked addresses. */
function createPinnedLookup(addresses: readonly string[]): LookupFunction {
  const allAddresses = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const [first] = allAddresses;
    if (!first) return callback(new Error('no checked address'), '', 0);
    if (options.all) callback(null, allAddresses);
    else callback(null, first.address, first.family);
  };
}

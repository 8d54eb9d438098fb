import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** Nothing heard for so long, while connecting or later, ends the connection. */
const IDLE_TIMEOUT_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) before the real one. */
const MAX_INTERIM_RESPONSES = 4;

interface PinnedRequest {
  url: URL;
  /** Checked addresses; the connection goes to one of these and the name is not looked up again. */
  addresses: readonly string[];
  port: number;
  accept: string;
  signal: AbortSignal;
}

export interface PinnedResponse {
  response: IncomingMessage;
  /** Whether this side ended the connection: a body that goes on until it closes looks complete even then. */
  wasAborted: () => boolean;
}

/**
 * Sends one GET and resolves with the head of the answer, whatever its status; the body has not been read. A connection
 * of its own, without cookies, referrer, proxy or anything else that is not written here. Rejects without an answer.
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
    // Stated, since an environment variable could switch the check of certificates off for the whole process.
    const request =
      url.protocol === 'https:' ? requestHttps({ ...options, rejectUnauthorized: true }) : requestHttp(options);
    let interimCount = 0;
    let isIdle = false;
    request.on('timeout', () => {
      isIdle = true;
      request.destroy(new Error('silence'));
    });
    request.on(
      'information',
      () => (interimCount += 1) > MAX_INTERIM_RESPONSES && request.destroy(new Error('too many interim answers')),
    );
    request.on('response', (response) => resolve({ response, wasAborted: () => isIdle || signal.aborted }));
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed without an answer')));
    request.end();
  });
}

/** Answers every question for an address with the checked ones. */
function createPinnedLookup(addresses: readonly string[]): LookupFunction {
  const allAddresses = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const [first] = allAddresses;
    if (!first) return callback(new Error('no checked address'), '', 0);
    if (options.all) callback(null, allAddresses);
    else callback(null, first.address, first.family);
  };
}

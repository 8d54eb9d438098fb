import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** Nothing heard for so long, while connecting or later, ends the connection. */
const SILENCE_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) before the real one. */
const MAX_INTERIM = 4;

interface PinnedRequest {
  url: URL;
  /** Checked addresses; the connection goes to one of these and the name is not looked up again. */
  addresses: readonly string[];
  port: number;
  accept: string;
  signal: AbortSignal;
}

export interface PinnedAnswer {
  response: IncomingMessage;
  /** Whether this side ended the connection: a body that goes on until it closes looks complete even then. */
  wasCut: () => boolean;
}

/**
 * Sends one GET and resolves with the head of the answer, whatever its status; the body has not been read. A connection
 * of its own, without cookies, referrer, proxy or anything else that is not written here. Rejects without an answer.
 */
export function openPinned({ url, addresses, port, accept, signal }: PinnedRequest): Promise<PinnedAnswer> {
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
    lookup: pinnedTo(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: SILENCE_MS,
    signal,
  };
  return new Promise((resolve, reject) => {
    // Stated, since an environment variable could switch the check of certificates off for the whole process.
    const request =
      url.protocol === 'https:' ? requestHttps({ ...options, rejectUnauthorized: true }) : requestHttp(options);
    let interim = 0;
    let isSilent = false;
    request.on('timeout', () => {
      isSilent = true;
      request.destroy(new Error('silence'));
    });
    request.on(
      'information',
      () => (interim += 1) > MAX_INTERIM && request.destroy(new Error('too many interim answers')),
    );
    request.on('response', (response) => resolve({ response, wasCut: () => isSilent || signal.aborted }));
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed without an answer')));
    request.end();
  });
}

/** Answers every question for an address with the checked ones. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const [first] = all;
    if (!first) return callback(new Error('no checked address'), '', 0);
    if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

import { formatProblem } from '../validation/problem.ts';
import type { RequestedUrl } from './requested-url.ts';

/**
 * Private targets, unknown names and closed doors share one sentence: an answer must say nothing about the network
 * behind this server.
 */
const UNREACHABLE_MESSAGE = 'Unable to download the file. Please verify the URL and try again.';

/** What the client is told of each problem. */
const MESSAGES = {
  invalid: 'Input should be an http or https URL of at most 8192 characters',
  credentials: 'URLs with a user name or password are not fetched',
  port: 'Only the standard ports of http and https are fetched',
  /** The name stands for no public address. */
  not_public: UNREACHABLE_MESSAGE,
  /** Unknown name, connection refused, invalid certificate, no answer in time. */
  unreachable: UNREACHABLE_MESSAGE,
  redirects: 'The URL redirects more than 3 times',
  redirect_target: 'The URL redirects to an address that is not fetched',
  status: 'The server behind the URL did not answer with the file (status 200)',
  encoded: 'The server behind the URL sends the file compressed, though asked not to',
  wrong_type:
    'The file behind the URL is not what the block needs: a JPEG, PNG, GIF or WebP for an image, a PDF for a document',
  too_large: 'The file behind the URL is too large: at most 7.5 MB for an image, 32 MB for a PDF',
  all_too_large: 'The files behind the URLs of this request are larger than 32 MB together',
  too_slow: 'The file behind the URL did not arrive in time: 8 seconds for each, 10 for all',
  broken: 'The download of the file broke off',
};

/** Why there are no bytes. What the operator may know (metrics) is finer than what the client is told. */
export type FetchProblem = keyof typeof MESSAGES;

/** The sentence for the client. */
export const getClientMessage = (problem: FetchProblem): string => MESSAGES[problem];

/** Why a request gets no count: the block by its path, or a limit that passes (`retryAfter` in seconds). */
export type FetchError =
  | { ok: false; status: 400; message: string }
  | { ok: false; status: 429 | 529; message: string; retryAfter: number };

/** A refusal that names the block. */
export function blockError({ path }: RequestedUrl, message: string): FetchError {
  return { ok: false, status: 400, message: formatProblem({ path: `${path}.source.url`, message }) };
}

/** The organisation has used up its share for now. */
export const RATE_LIMITED_ERROR: FetchError = {
  ok: false,
  status: 429,
  message:
    "This request would exceed your organization's limit of files fetched from URLs; " +
    'try again in a moment or send the data as base64.',
  retryAfter: 5,
};

/** The server has. */
export const BUSY_ERROR: FetchError = {
  ok: false,
  status: 529,
  message: 'The server is fetching for other requests; try again in a moment.',
  retryAfter: 1,
};

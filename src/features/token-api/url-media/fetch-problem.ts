import { formatProblem } from '../validation/problem.ts';
import type { RequestedUrl } from './requested-url.ts';

/**
 * Private targets, unknown names and closed ports share one message, so a response reveals nothing about the internal
 * network.
 */
const UNREACHABLE_MESSAGE = 'Unable to download the file. Please verify the URL and try again.';

/** Message to the client for each problem. */
const MESSAGES = {
  invalid: 'Input should be an http or https URL of at most 8192 characters',
  credentials: 'URLs with a user name or password are not fetched',
  port: 'Only the standard ports of http and https are fetched',
  /** The name resolves to no public address. */
  not_public: UNREACHABLE_MESSAGE,
  /** Unknown name, refused connection, invalid certificate, or timeout. */
  unreachable: UNREACHABLE_MESSAGE,
  redirects: 'The URL redirects more than 3 times',
  redirect_target: 'The URL redirects to an address that is not fetched',
  status: 'The server of the URL did not return the file with status 200',
  encoded: 'The server of the URL returned a compressed file',
  wrong_type: 'The file has the wrong type: an image must be JPEG, PNG, GIF or WebP, and a document must be PDF',
  too_large: 'The file at the URL is too large: at most 7.5 MB for an image, 32 MB for a PDF',
  all_too_large: 'The files at the URLs of this request exceed 32 MB in total',
  too_slow: 'The download timed out: at most 8 seconds for a file and 10 for all files',
  broken: 'The download of the file was interrupted',
};

/** Reasons of a failed fetch. Metrics distinguish more reasons than the messages to clients. */
export type FetchProblem = keyof typeof MESSAGES;

/** Returns the message to the client. */
export const getClientMessage = (problem: FetchProblem): string => MESSAGES[problem];

/** Reasons why a request is not counted: a block with its path, or a temporary limit (`retryAfter` in seconds). */
export type FetchError =
  | { ok: false; status: 400; message: string }
  | { ok: false; status: 429 | 529; message: string; retryAfter: number };

/** Returns an error with the path of the block. */
export function blockError({ path }: RequestedUrl, message: string): FetchError {
  return { ok: false, status: 400, message: formatProblem({ path: `${path}.source.url`, message }) };
}

/** The organization has reached its limit. */
export const RATE_LIMITED_ERROR: FetchError = {
  ok: false,
  status: 429,
  message:
    "This request would exceed your organization's limit of files fetched from URLs; " +
    'try again in a moment or send the data as base64.',
  retryAfter: 5,
};

/** The server has reached its limit. */
export const BUSY_ERROR: FetchError = {
  ok: false,
  status: 529,
  message: 'The server is fetching for other requests; try again in a moment.',
  retryAfter: 1,
};

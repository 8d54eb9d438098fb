import { inWords } from '../validation/problem.ts';
import type { WantedUrl } from './wanted-url.ts';

/** Why a request whose media stand behind URLs gets no count: the block by its path, or a limit that passes (`retryAfter` in seconds). */
export type FetchRefusal =
  | { ok: false; status: 400; message: string }
  | { ok: false; status: 429 | 529; message: string; retryAfter: number };

/** A refusal that names the block. */
export function refuseBlock({ path }: WantedUrl, message: string): FetchRefusal {
  return { ok: false, status: 400, message: inWords({ path: `${path}.source.url`, message }) };
}

/** The organisation has used up its share for now. */
export const OVER_SHARE: FetchRefusal = {
  ok: false,
  status: 429,
  message:
    "This request would exceed your organization's limit of files fetched from URLs; try again in a moment or send the data as base64.",
  retryAfter: 5,
};

/** The server has. */
export const BUSY: FetchRefusal = {
  ok: false,
  status: 529,
  message: 'The server is fetching for other requests; try again in a moment.',
  retryAfter: 1,
};

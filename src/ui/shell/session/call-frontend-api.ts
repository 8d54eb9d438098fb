import { decode } from './decode.ts';
import type { IdentityProblem } from './identity-client.ts';
import { decodeErrorsResponse } from './identity-responses.ts';
import { loadConfig } from './public-config.ts';

/** Result of a call. `body` is the whole JSON of a success. `status` is 0 without a response. */
export type FrontendApiResult =
  | { ok: true; body: unknown }
  | { ok: false; status: number; problems: IdentityProblem[] };

const TIMEOUT_MS = 15_000;

/** Calls the identity provider's API for browsers, such as `/v1/me`. A failure is returned and never thrown. */
export async function callFrontendApi(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  form: Readonly<Record<string, string>> = {},
): Promise<FrontendApiResult> {
  try {
    const base = (await loadConfig()).frontend_api_url.replace(/\/$/, '');
    const response = await fetch(`${base}${path}`, {
      method,
      credentials: 'include',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'POST' && { body: new URLSearchParams(form) }),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, body };
    const problems = (decode(decodeErrorsResponse, body)?.errors ?? []).map(
      ({ code, message, long_message, meta }) => ({
        code,
        message: long_message || message,
        field: meta?.param_name ?? null,
      }),
    );
    const unreadable = createProblem(
      'unexpected_answer',
      `That did not work (status ${response.status}). Try again in a minute.`,
    );
    return { ok: false, status: response.status, problems: problems.length > 0 ? problems : [unreadable] };
  } catch {
    const message = 'Tally cannot be reached. Check your connection and try again. Your input is kept.';
    return { ok: false, status: 0, problems: [createProblem('unreachable', message)] };
  }
}

const createProblem = (code: string, message: string): IdentityProblem => ({ code, message, field: null });

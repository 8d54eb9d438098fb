import { z } from 'zod';
import type { Route } from '../../platform/http/contract.ts';
import { parseJson } from '../../platform/http/parse-json.ts';
import { readWithLimit } from '../../platform/http/read-with-limit.ts';
import { routes } from './contract.ts';

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Result of a call. `message` is a sentence for the operator. `isRejected`: the service rejected the call, so that
 * nothing was changed. `retry`: the same call may succeed later.
 */
type CallResult<T> = { ok: true; value: T } | { ok: false; isRejected: boolean; retry: boolean; message: string };

export interface Deployment {
  baseUrl: string;
  /** The DEMO_ACCESS_OPERATOR_TOKEN. It is sent only to `baseUrl` and never printed. */
  token: string;
  timeoutMs?: number;
}

interface RequestParts {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

const errorBody = z.object({ code: z.string(), message: z.string(), request_id: z.string().optional() });

/** Creates the client of a deployment's operator routes, typed and validated by the contract. No function throws. */
export function createOperatorClient(deployment: Deployment) {
  const { createDemoInvitation: create, listDemoInvitations: list, revokeDemoInvitation: revoke } = routes;
  const { listDemoSessionCandidates: candidates } = routes;
  return {
    create: (label: string) => call(deployment, create, create.responses[201], { body: { label } }),
    list: (cursor?: string) => call(deployment, list, list.responses[200], cursor ? { query: { cursor } } : {}),
    revoke: (id: string) => call(deployment, revoke, revoke.responses[200], { params: { id } }),
    candidates: () => call(deployment, candidates, candidates.responses[200], {}),
  };
}

async function call<T>(
  deployment: Deployment,
  route: Route,
  shape: z.ZodType<T>,
  parts: RequestParts,
): Promise<CallResult<T>> {
  const { baseUrl, token, timeoutMs = TIMEOUT_MS } = deployment;
  const path = route.path.replace(/\{(\w+)\}/g, (_braced, name: string) => encodeURIComponent(parts.params![name]!));
  const query = parts.query ? `?${new URLSearchParams(parts.query).toString()}` : '';
  try {
    const response = await fetch(`${baseUrl}${path}${query}`, {
      method: route.method,
      // Another host must not receive the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(parts.body && { 'content-type': 'application/json' }),
      },
      ...(parts.body && { body: JSON.stringify(parts.body) }),
    });
    return classifyResponse(baseUrl, response, shape, (await readWithLimit(response, MAX_BODY_BYTES)).toString('utf8'));
  } catch (error) {
    return createUnknownResult(`${baseUrl} did not respond (${describeFetchError(error, timeoutMs)}).`, true);
  }
}

function classifyResponse<T>(baseUrl: string, response: Response, shape: z.ZodType<T>, text: string): CallResult<T> {
  const { status, headers } = response;
  const parsed = shape.safeParse(parseJson(text));
  if (response.ok && parsed.success) return { ok: true, value: parsed.data };
  const parsedError = errorBody.safeParse(parseJson(text));
  if (!response.ok && parsedError.success) return explainError(baseUrl, response, parsedError.data);
  const type = headers.get('content-type')?.split(';')[0] ?? 'no media type';
  const received =
    status >= 300 && status < 400
      ? `a redirect to ${getRedirectOrigin(headers.get('location'), baseUrl)}`
      : `${status} with ${type}`;
  const advice = 'check BASE_URL and the proxy in front of the service';
  return createUnknownResult(
    `${baseUrl} returned ${received}, which is not a response of this service: ${advice}.`,
    status >= 500,
  );
}

/** Creates the result of a call whose effect is unknown. */
const createUnknownResult = (message: string, retry: boolean): CallResult<never> => ({
  ok: false,
  isRejected: false,
  retry,
  message,
});

function explainError(
  baseUrl: string,
  { status, headers }: Response,
  body: z.infer<typeof errorBody>,
): CallResult<never> {
  if (status === 401) {
    const message = `${baseUrl} rejected this DEMO_ACCESS_OPERATOR_TOKEN: set the token of that deployment.`;
    return { ok: false, isRejected: true, retry: false, message };
  }
  if (body.code === 'NOT_CONFIGURED') {
    const remedy = `set DEMO_ACCOUNT_IDP_USER_ID and DEMO_ACCESS_OPERATOR_TOKEN at ${baseUrl}`;
    return { ok: false, isRejected: true, retry: false, message: `${body.message} (${body.code}): ${remedy}.` };
  }
  const isRejected = status < 500;
  const retry = !isRejected || status === 429;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const when = retry ? ` Try again${seconds > 0 ? ` in ${seconds} s` : ' later'}.` : '';
  return { ok: false, isRejected, retry, message: `${body.message} (${body.code})${when}` };
}

/** Returns the origin of a redirect, without the rest of its URL. */
const getRedirectOrigin = (location: string | null, base: string): string =>
  location !== null && URL.canParse(location, base) ? new URL(location, base).origin : 'another host';

function describeFetchError(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'no response';
  if (error.name === 'TimeoutError') return `timeout after ${timeoutMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message;
}

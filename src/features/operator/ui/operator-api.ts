import { ApiError } from '../../../ui/kit/api-error.ts';
import type {
  AssistantUse,
  CallBudgets,
  Flags,
  Installation,
  MemberPage,
  OperatorKeys,
  StuckJobs,
  UpdateNotes,
} from '../contract.ts';
import { markRejected } from './operator-session.ts';

const TIMEOUT_MS = 30_000;

interface CallOptions {
  body?: object;
  token?: string;
}

/**
 * Calls the operator's API with the cookie of the session. Throws `ApiError` for every error response, and notes that a
 * session has ended.
 */
async function call<Body>(method: string, path: string, { body, token }: CallOptions = {}): Promise<Body> {
  const response = await fetch(`/api/operator/${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ApiError(0, 'OFFLINE', 'Tally cannot be reached. Check your connection and try again.');
  });
  const result: unknown = response.status === 204 ? undefined : await response.json().catch(() => null);
  if (response.ok && result !== null) return result as Body;
  // A rejected token says nothing about the session.
  if (response.status === 401 && token === undefined) markRejected();
  const { code, message } = (result ?? {}) as { code?: string; message?: string };
  throw new ApiError(response.status, code ?? 'INTERNAL', message ?? 'Something went wrong on our side.', {
    requestId: response.headers.get('x-request-id'),
    retryAfter: null,
    body: {},
  });
}

const encode = encodeURIComponent;

export const operatorApi = {
  signIn: (token: string) => call('POST', 'session', { token }),
  signOut: () => call('DELETE', 'session'),
  getInstallation: () => call<Installation>('GET', 'installation'),
  getUpdateNotes: () => call<UpdateNotes>('GET', 'update-notes'),
  getCallBudgets: () => call<CallBudgets>('GET', 'market-data'),
  getAssistantUse: () => call<AssistantUse>('GET', 'assistant'),
  listJobs: () => call<StuckJobs>('GET', 'jobs'),
  retryJob: (id: string) => call('POST', `jobs/${encode(id)}/retry`),
  listMembers: (search: string, after: string | null) =>
    call<MemberPage>(
      'GET',
      `members?${new URLSearchParams({ ...(search && { search }), ...(after !== null && { after }) })}`,
    ),
  deleteMember: (id: string) => call('DELETE', `members/${encode(id)}`),
  listKeys: () => call<OperatorKeys>('GET', 'keys'),
  revokeKey: (id: string) => call('DELETE', `keys/${encode(id)}`),
  listFlags: () => call<Flags>('GET', 'flags'),
  setFlag: (flag: string, percentage: number) => call('PUT', `flags/${encode(flag)}`, { body: { percentage } }),
  /** Removes the member's setting if `enabled` is null. */
  setFlagMember: (flag: string, member: string, enabled: boolean | null) =>
    call('PUT', `flags/${encode(flag)}/member`, { body: { member, enabled } }),
};

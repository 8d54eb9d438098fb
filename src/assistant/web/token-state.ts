import type { AssistantToken } from '../mcp/contract.ts';

/** Whether a token still opens anything, and else why not. */
export function stateOf({
  revoked_at: revoked,
  expires_at: expires,
}: AssistantToken): 'active' | 'revoked' | 'expired' {
  if (revoked !== null) return 'revoked';
  return Date.parse(expires) > Date.now() ? 'active' : 'expired';
}

/**
 * Fields of a creation request that counting does not take: parameters of the official client's `create` that its
 * `countTokens` lacks, parameters that the client sends as headers, and fields that Bedrock and Vertex AI put into the
 * body. None of them adds a token to the input.
 */
export const CREATION_FIELDS: ReadonlySet<string> = new Set([
  'anthropic_beta',
  'anthropic_version',
  'betas',
  'container',
  'diagnostics',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'thread',
  'top_k',
  'top_p',
  'user_profile_id',
  'workspace_id',
]);

/** Returns the request without the fields that only creation takes. */
export function omitCreationFields(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !CREATION_FIELDS.has(name)));
}

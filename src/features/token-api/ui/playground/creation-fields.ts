/** Fields of message creation that do not change the input. The endpoint refuses them. */
const CREATION_FIELDS = [
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
];

/** Returns the request without the fields of message creation, and the names of those fields. */
export function omitCreationFields(request: Record<string, unknown>): {
  request: Record<string, unknown>;
  ignoredFields: string[];
} {
  const ignoredFields = Object.keys(request).filter((name) => CREATION_FIELDS.includes(name));
  const kept = Object.entries(request).filter(([name]) => !CREATION_FIELDS.includes(name));
  return { request: Object.fromEntries(kept), ignoredFields };
}

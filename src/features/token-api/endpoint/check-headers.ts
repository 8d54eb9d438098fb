import type { IncomingHttpHeaders } from 'node:http';
import { ACCEPTED_ENCODING, isUncompressed } from '../../../platform/http/content-encoding.ts';
import type { ApiVersion } from '../validation/checked-request.ts';
import { truncateForMessage } from '../validation/problem.ts';
import { type ApiErrorResult, apiError } from './api-result.ts';

const VERSIONS: readonly string[] = ['2023-06-01', '2026-10-21'] satisfies ApiVersion[];

/** Returns the API version from `svc-version` or its alias `anthropic-version`. */
export function readVersion(headers: IncomingHttpHeaders): { ok: true; version: ApiVersion } | ApiErrorResult {
  const name = headers['svc-version'] === undefined ? 'anthropic-version' : 'svc-version';
  const value = headers[name];
  if (typeof value === 'string' && VERSIONS.includes(value)) return { ok: true, version: value as ApiVersion };
  const problem =
    value === undefined
      ? 'svc-version: header is required (or anthropic-version)'
      : `${name}: "${truncateForMessage(String(value))}" is not a valid version`;
  return apiError(400, `${problem}; send 2023-06-01 or 2026-10-21`);
}

/** Returns the values of the `anthropic-beta` header, which lists them with commas. */
export function readBetas(headers: IncomingHttpHeaders): string[] {
  const value = headers['anthropic-beta'];
  return value === undefined ? [] : String(value).split(/[\s,]+/);
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Returns a 415 error if the body is not plain JSON in UTF-8. The body has not been read at this point. */
export function findContentTypeError(headers: IncomingHttpHeaders): ApiErrorResult | undefined {
  const type = headers['content-type'];
  if (type !== 'application/json' && (type === undefined || !JSON_TYPE.test(type)))
    return apiError(415, 'content-type: send the body as application/json (in UTF-8)');
  const encoding = headers['content-encoding'];
  if (encoding === undefined || isUncompressed(encoding)) return undefined;
  const message = `content-encoding: "${truncateForMessage(encoding)}" is not accepted; send the body uncompressed`;
  return apiError(415, message, 'accept-encoding', ACCEPTED_ENCODING);
}

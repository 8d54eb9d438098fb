import type { IncomingHttpHeaders } from 'node:http';
import { ACCEPTED_ENCODING, isUncompressed } from '../../http/content-encoding.ts';
import type { ApiVersion } from '../validation/conversation-rules.ts';
import { shown } from '../validation/problem.ts';

interface HeaderProblem {
  status: 400 | 415;
  message: string;
  /** Headers of the answer, names and values in turn. */
  headers?: readonly string[];
}

const VERSIONS: readonly string[] = ['2023-06-01', '2026-10-21'] satisfies ApiVersion[];

/** The interface's version: `svc-version`, or its alias `anthropic-version`; both take the same values. */
export function readVersion(headers: IncomingHttpHeaders): ApiVersion | HeaderProblem {
  const name = headers['svc-version'] === undefined ? 'anthropic-version' : 'svc-version';
  const value = headers[name];
  if (typeof value === 'string' && VERSIONS.includes(value)) return value as ApiVersion;
  const problem =
    value === undefined
      ? 'svc-version: header is required (or anthropic-version)'
      : `${name}: "${shown(String(value))}" is not a valid version`;
  return { status: 400, message: `${problem}; send 2023-06-01 or 2026-10-21` };
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** A body is plain JSON in UTF-8; anything else is 415. */
export function findContentProblem(headers: IncomingHttpHeaders): HeaderProblem | undefined {
  const type = headers['content-type'];
  if (type !== 'application/json' && (type === undefined || !JSON_TYPE.test(type))) {
    return { status: 415, message: 'content-type: send the body as application/json (in UTF-8)' };
  }
  const encoding = headers['content-encoding'];
  if (encoding === undefined || isUncompressed(encoding)) return undefined;
  return {
    status: 415,
    message: `content-encoding: "${shown(encoding)}" is not accepted; send the body uncompressed`,
    headers: ['accept-encoding', ACCEPTED_ENCODING],
  };
}

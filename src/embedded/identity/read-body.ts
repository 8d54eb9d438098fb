import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { parseJson } from '../../platform/http/parse-json.ts';
import { findUnstorablePath } from '../../platform/http/storable-text.ts';
import { AppError } from '../../errors.ts';
import { providerErrors } from './provider-error.ts';

const MAX_METADATA_BYTES = 8_192;

/** Parses bodies as forms (the browser library), as JSON, or empty with either content type (the backend library). */
export function addBodyParsers(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, {});
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(new AppError('INVALID_REQUEST', { issues: [{ path: '', message: 'the body is not valid JSON' }] }));
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}

/** Returns the fields of the body. Throws the hosted provider's error for the first invalid field. */
export function readFields<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') throw providerErrors.unknownParam(issue.keys[0] ?? '');
  const param = issue.path.map(String).join('.') || 'body';
  if (issue.code === 'invalid_type' && issue.input === undefined) throw providerErrors.missing(param);
  throw providerErrors.malformed(param, issue.message);
}

/** Returns whether metadata is within the size limit, also for merged metadata. */
export function isWithinMetadataLimit(value: object): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;
}

/** Returns the value of JSON text, and any other value as it is. */
export const parseJsonString = (value: unknown): unknown =>
  typeof value === 'string' ? (parseJson(value) ?? value) : value;

/** Metadata: an object, or its JSON in a form field, of at most 8 KB. */
export const metadataField = z
  .preprocess(parseJsonString, z.record(z.string(), z.unknown(), { error: 'must be a JSON object.' }))
  .refine(isWithinMetadataLimit, { error: 'must be at most 8 KB of JSON.', abort: true })
  .refine((value) => findUnstorablePath(value) === undefined, {
    error: 'must not hold NUL or lone surrogate characters.',
  });

export const emailField = z
  .string({ error: 'must be a valid email address.' })
  .trim()
  .max(254, { error: 'must be at most 254 characters.' })
  .pipe(z.email({ error: 'must be a valid email address.' }))
  .transform((email) => email.toLowerCase());

export const passwordField = z.string({ error: 'must be a string.' });

export const nameField = z
  .string({ error: 'must be a string.' })
  .max(256, { error: 'must be at most 256 characters.' });

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Returns whether a text has the form of an id. */
export const isId = (text: string): boolean => ID.test(text);

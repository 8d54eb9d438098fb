import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';

/**
 * A document that is compressed once and sent often. The forms are buffers, which responses share. A string would be
 * copied for each response.
 */
export interface EncodedDocument {
  plain: Buffer;
  /** Weak, since it is the same for every encoding. */
  etag: string;
  /** Compressed forms by content encoding, the preferred first. */
  encoded: ReadonlyMap<string, Buffer>;
}

/** Returns a document with its forms that are already compressed. */
const toEncodedDocument = (plain: Buffer, encoded: ReadonlyMap<string, Buffer>): EncodedDocument => ({
  plain,
  etag: `W/"${hash('sha1', plain, 'base64')}"`,
  encoded,
});

/** Reads a document with the forms that the build compressed, so that no response compresses it again. */
export async function readEncodedDocument(path: string): Promise<EncodedDocument> {
  const encoded = new Map<string, Buffer>();
  for (const [encoding, suffix] of [
    ['br', 'br'],
    ['gzip', 'gz'],
  ] as const)
    if (existsSync(`${path}.${suffix}`)) encoded.set(encoding, await readFile(`${path}.${suffix}`));
  return toEncodedDocument(await readFile(path), encoded);
}

/** Compresses a document in each encoding. `quality` is that of brotli, from 0 to 11, the smallest and slowest. */
export async function encodeDocument(text: string, quality = 11): Promise<EncodedDocument> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)]);
  return toEncodedDocument(
    Buffer.from(text),
    new Map([
      ['br', br],
      ['gzip', gz],
    ]),
  );
}

/** Sends the form of the document that the client accepts. */
export function sendEncodedDocument(reply: FastifyReply, { plain, etag, encoded }: EncodedDocument): FastifyReply {
  const encoding = negotiate(reply.request.headers['accept-encoding'] ?? '', [...encoded.keys()]);
  reply.header('etag', etag);
  return encoding === null ? reply.send(plain) : reply.header('content-encoding', encoding).send(encoded.get(encoding));
}

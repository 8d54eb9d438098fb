import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from './app-type.ts';

/** Where the built web app stands and which paths are its pages. */
export interface WebAppOptions {
  /** The folder with `index.html` and `assets/`. */
  root: string;
  /** Exact paths that are pages; every other path that asks for HTML gets the app with status 404. */
  pages: readonly string[];
}

/**
 * Serves the built web app: hashed assets for a year, the document never from a cache. Returns the answer for
 * unknown paths: the document with 404, so that a person sees the app's own page for it.
 */
export async function addWebApp(app: HttpApp, options: WebAppOptions): Promise<(reply: FastifyReply) => FastifyReply> {
  const document = await readFile(join(options.root, 'index.html'), 'utf8');
  const sendDocument = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').serializer(String).send(document);

  await app.register(serveStatic, {
    root: options.root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    schemaHide: true,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/') || path.includes('\\assets\\');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  for (const page of options.pages) {
    app.get(page, { schema: { hide: true } }, async (_request, reply) => sendDocument(reply, 200));
  }
  return (reply) => sendDocument(reply, 404);
}

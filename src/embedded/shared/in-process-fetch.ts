import Fastify, { LogController } from 'fastify';
import type { Logger } from 'pino';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { newRequestId } from '../../platform/http/request-id.ts';
import { schemaController } from '../../platform/http/schema-controller.ts';

/**
 * Returns a `fetch` that runs these routes in an application of its own. It needs no socket, so it also works in a
 * worker.
 */
export function inProcessFetch(
  addRoutes: (app: HttpApp) => Promise<void>,
  logger: Logger | undefined,
): typeof globalThis.fetch {
  const createInProcessApp = async (): Promise<HttpApp> => {
    const app = Fastify({
      ...(logger && { loggerInstance: logger }),
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: newRequestId,
      schemaController,
    }) as unknown as HttpApp;
    await addRoutes(app);
    return app;
  };
  let appPromise: Promise<HttpApp> | undefined;
  return async (target, init = {}) => {
    appPromise ??= createInProcessApp();
    const app = await appPromise;
    const url = new URL(target instanceof Request ? target.url : target);
    const merged = target instanceof Request ? { ...(await toRequestInit(target)), ...init } : init;
    const { signal, method = 'GET', body } = merged;
    signal?.throwIfAborted();
    const response = await app.inject({
      method: method as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(new Headers(merged.headers)),
      ...(signal && { signal }),
      ...(typeof body === 'string' && { payload: body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const item of [value].flat()) if (item !== undefined) headers.append(name, String(item));
    return new Response(response.statusCode === 204 ? null : new Uint8Array(response.rawPayload), {
      status: response.statusCode,
      headers,
    });
  };
}

/** Returns the content of a request as the options of `fetch`. */
const toRequestInit = async (request: Request): Promise<RequestInit> => ({
  method: request.method,
  headers: request.headers,
  body: request.body && (await request.text()),
  signal: request.signal,
});

import type { HttpApp } from '../http/app-type.ts';

/** `fetch` for addresses of our own application that never leaves the process: the same routes, no socket, no proxy in between. */
export function inProcessFetch(app: HttpApp): typeof globalThis.fetch {
  return async (target, init = {}) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const { signal, method = 'GET', body } = init;
    signal?.throwIfAborted();
    const answer = await app.inject({
      method: method as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(signal && { signal }),
      ...(typeof body === 'string' && { payload: body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one));
    return new Response(answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers,
    });
  };
}

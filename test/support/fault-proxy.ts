import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received call. Its `path` has no prefix of the embedded aggregator. */
export interface AggregatorCall {
  path: string;
  /** Forwards the call to the embedded aggregator, independent of the response. */
  forward(): Promise<Response>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A proxy between a service and an embedded aggregator. */
export interface FaultProxy {
  /** The address that the service uses as the aggregator. */
  baseUrl: string;
  /** Paths of the forwarded and failed calls, for example `/item/remove`. */
  calls: string[];
  /** Responds instead of the aggregator until it is `undefined`. `false` forwards the call. */
  fault: ((call: AggregatorCall, response: ServerResponse) => void | false) | undefined;
  /** Replaces a successful response. `undefined` leaves the response unchanged. */
  rewrite: ((path: string, answer: Record<string, never>) => unknown) | undefined;
  /** Called with each response of the embedded aggregator. */
  onResponse: ((answer: unknown) => void) | undefined;
  close(): void;
}

/** Listens as a proxy of an embedded aggregator under `prefix` of `target`. */
export async function startFaultProxy(target: string, prefix: string): Promise<FaultProxy> {
  const faultProxy: FaultProxy = {
    baseUrl: '',
    calls: [],
    fault: undefined,
    rewrite: undefined,
    onResponse: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url!.replace(prefix, '').replace(/\?.*/, '');
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
      faultProxy.calls.push(path);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string' && !/^(host|connection|content-length|accept-encoding)$/.test(name))
          headers.set(name, value);
      const method = request.method!;
      const forward = () => fetch(`${target}${request.url}`, { method, headers, ...(body && { body }) });
      const call = { path, forward, headers: request.headers, body };
      if (faultProxy.fault && faultProxy.fault(call, response) !== false) return;
      const answer = await forward();
      const text = await answer.text();
      const requestBody = text === '' ? undefined : (JSON.parse(text) as Record<string, never>);
      faultProxy.onResponse?.(requestBody);
      const other = answer.ok && requestBody ? faultProxy.rewrite?.(path, requestBody) : undefined;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(other === undefined ? text : JSON.stringify(other));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  faultProxy.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  return faultProxy;
}

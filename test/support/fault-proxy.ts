import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it came; `path` without the stand-in's prefix. */
export interface AggregatorCall {
  path: string;
  /** Lets the stand-in do it, whatever is answered. */
  forward(): Promise<Response>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What stands between a service and an aggregator's stand-in, for tests. */
export interface FaultProxy {
  /** What the service takes for the aggregator. */
  baseUrl: string;
  /** Calls that came through or failed: `/item/remove`. */
  calls: string[];
  /** Answers in the place of the aggregator until it is `undefined`; `false` lets the call through. */
  fault: ((call: AggregatorCall, response: ServerResponse) => void | false) | undefined;
  /** Another answer in the place of a good one; `undefined` leaves it. */
  rewrite: ((path: string, answer: Record<string, never>) => unknown) | undefined;
  /** Told of each answer that came from the stand-in. */
  onResponse: ((answer: unknown) => void) | undefined;
  close(): void;
}

/** Listens before a stand-in that hangs under `prefix` of `target`. */
export async function startFaultProxy(target: string, prefix: string): Promise<FaultProxy> {
  const faultProxy: FaultProxy = {
    ...{ baseUrl: '', calls: [], fault: undefined, rewrite: undefined, onResponse: undefined },
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

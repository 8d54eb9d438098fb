import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { getDestination, PROCESS_FIELDS } from './logger.ts';
import type { RequestMetrics } from './metrics.ts';

/** Status in metrics and log if the client closed the connection before the response, as proxies use it. */
export const CLIENT_CLOSED_REQUEST = 499;

/** One request and its outcome. */
interface ObservedResponse {
  id: string;
  method: string;
  /** Route pattern for the metrics, or `unmatched` if no route was found. */
  route: string;
  /** Path without the query. */
  path: string;
  status: number;
  /** Time from the first byte of the request to the response. */
  milliseconds: number;
  /** Node's response object, which identifies the request in a trace. */
  response: ServerResponse;
}

/** Publishes each response to subscribers such as tracing. */
const responseChannel = channel('tally:response');

export type ObserveResponse = (observed: ObservedResponse) => void;

/** Creates an observer that logs each response and records it in the metrics. */
export function createResponseObserver(logger: Logger, metrics: Pick<RequestMetrics, 'observe'>): ObserveResponse {
  const writeRequestLine = createRequestLineWriter(logger);
  return ({ id, method, route, path, status, milliseconds, response }) => {
    if (responseChannel.hasSubscribers) responseChannel.publish({ response, method, route, status });
    metrics.observe(method, route, status, milliseconds);
    const level = PROBE_ROUTES.has(route) ? 'debug' : 'info';
    writeRequestLine(level, {
      reqId: id,
      method,
      path: redactPath(route, path),
      status,
      ms: Math.round(milliseconds * 10) / 10,
    });
  };
}

/** Routes that balancers and monitoring request every few seconds. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Route of a request without a matching route. */
export const UNMATCHED = 'unmatched';
/** Longer than every name and identifier in our paths, and shorter than a token or the code of a sign-in link. */
const MAX_SEGMENT_LENGTH = 64;

/**
 * Returns the path for the log. Segments that may contain a secret become `…`. These are long segments and, in an
 * unknown path, those with `=` or an encoded character, which mail programs insert into links.
 */
function redactPath(route: string, path: string): string {
  // A path with a token would give each reader of the log access to a page.
  if (route.includes('/:token')) return route;
  const isMatched = route !== UNMATCHED;
  if (isMatched && path.length <= MAX_SEGMENT_LENGTH) return path;
  const mayContainSecret = (segment: string): boolean =>
    segment.length > MAX_SEGMENT_LENGTH || (!isMatched && /[=%#]/.test(segment));
  return path
    .split('/')
    .map((segment) => (mayContainSecret(segment) ? '…' : segment))
    .join('/');
}

/** Log fields of one response. They must contain no secret, because the line bypasses redaction. */
interface RequestFields {
  reqId: string;
  method: string;
  /** Path without the query. */
  path: string;
  status: number;
  /** Response time in ms, rounded to a tenth. */
  ms: number;
}

/**
 * Creates a writer of the same line as `logger.info(fields, 'request')`, or `debug`, to the same destination. The writer takes 3.4
 * µs of CPU time in place of 5 µs.
 */
export function createRequestLineWriter(logger: Logger): (level: 'info' | 'debug', fields: RequestFields) => void {
  const destination = getDestination(logger);
  if (!destination) return (level, fields) => logger[level](fields, 'request');
  const base = JSON.stringify(PROCESS_FIELDS).slice(1, -1);
  let lastMs = 0;
  let time = '';
  return (level, { reqId, method, path, status, ms }) => {
    if (!logger.isLevelEnabled(level)) return;
    const now = Date.now();
    if (now !== lastMs) {
      lastMs = now;
      time = new Date(now).toISOString();
    }
    const id = JSON.stringify(reqId);
    const quotedPath = JSON.stringify(path);
    const head = `{"level":"${level}","time":"${time}",${base},"reqId":${id},"method":"${method}","path":${quotedPath}`;
    destination.write(`${head},"status":${status},"ms":${ms},"msg":"request"}\n`);
  };
}

/** Returns the path of a URL without the query, which may contain secrets. */
export function getPath({ url = '' }: { url?: string | undefined }): string {
  const queryIndex = url.indexOf('?');
  return queryIndex === -1 ? url : url.slice(0, queryIndex);
}

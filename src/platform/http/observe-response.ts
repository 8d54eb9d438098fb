import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { getDestination } from './logger.ts';
import type { RequestMetrics } from './metrics.ts';

/** The status in metrics and log of a request whose client went away before the answer, as proxies write it. */
export const CLIENT_CLOSED_REQUEST = 499;

/** One request and how it ended. */
interface ObservedResponse {
  id: string;
  method: string;
  /** The pattern, for the metrics; `unmatched` where no route was found. */
  route: string;
  /** Without the query. */
  path: string;
  status: number;
  /** From the request's first byte to its answer. */
  milliseconds: number;
  /** Node's own, by which a trace knows it. */
  response: ServerResponse;
}

/** Told of each answer, where somebody listens: tracing. */
const responseChannel = channel('tally:answer');

export type ObserveResponse = (observed: ObservedResponse) => void;

/** What every answer leaves behind: a line in the log and its place in the metrics. */
export function createResponseObserver(logger: Logger, metrics: Pick<RequestMetrics, 'observe'>): ObserveResponse {
  const writeRequestLine = createRequestLineWriter(logger);
  return ({ id, method, route, path, status, milliseconds, response }) => {
    if (responseChannel.hasSubscribers) responseChannel.publish({ response, method, route, status });
    metrics.observe(method, route, status, milliseconds);
    writeRequestLine({
      reqId: id,
      method,
      path: redactPath(route, path),
      status,
      ms: Math.round(milliseconds * 10) / 10,
    });
  };
}

/** The route of a request for which there is none. */
export const UNMATCHED = 'unmatched';
/** Longer than every name and identifier in our paths, and shorter than a token or the code of a sign-in link. */
const MAX_SEGMENT_LENGTH = 64;

/**
 * The path as the log shows it. Segments that may hold a secret become `…`: long ones, and in an unknown path those
 * with `=` or an encoded character, as mail programs make of links.
 */
function redactPath(route: string, path: string): string {
  // A path with a token in it would open a page to each reader of the log.
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

/** What the log says of one answered request. None of it may hold a secret: the line passes no redaction. */
interface RequestFields {
  reqId: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** Time to answer, rounded to a tenth. */
  ms: number;
}

/**
 * Writes the same line as `logger.info(fields, 'request')` to the same place, in 3.4 instead of 5 µs of processor
 * (200,000 lines, Node 24).
 */
export function createRequestLineWriter(logger: Logger): (fields: RequestFields) => void {
  const destination = getDestination(logger);
  if (!destination) return (fields) => logger.info(fields, 'request');
  let lastMs = 0;
  let time = '';
  return ({ reqId, method, path, status, ms }) => {
    if (!logger.isLevelEnabled('info')) return;
    const now = Date.now();
    if (now !== lastMs) {
      lastMs = now;
      time = new Date(now).toISOString();
    }
    const [id, quotedPath] = [JSON.stringify(reqId), JSON.stringify(path)];
    const head = `{"level":"info","time":"${time}","reqId":${id},"method":"${method}","path":${quotedPath}`;
    destination.write(`${head},"status":${status},"ms":${ms},"msg":"request"}\n`);
  };
}

/** The path of an address without its query, which may hold what no log should. */
export function getPath({ url = '' }: { url?: string | undefined }): string {
  const queryIndex = url.indexOf('?');
  return queryIndex === -1 ? url : url.slice(0, queryIndex);
}

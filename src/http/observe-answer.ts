import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { RequestMetrics } from './metrics.ts';
import { createRequestLine } from './request-line.ts';

/** The status in metrics and log of a request whose client went away before the answer, as proxies write it. */
export const CLIENT_GONE = 499;

/** One request and how it ended. */
interface Answered {
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
const answers = channel('tally:answer');

export type ObserveAnswer = (answered: Answered) => void;

/** What every answer leaves behind, whichever stack gave it: a line in the log and its place in the metrics. */
export function createObserveAnswer(logger: Logger, metrics: Pick<RequestMetrics, 'observe'>): ObserveAnswer {
  const writeLine = createRequestLine(logger);
  return ({ id, method, route, path, status, milliseconds, response }) => {
    if (answers.hasSubscribers) answers.publish({ response, method, route, status });
    metrics.observe(method, route, status, milliseconds);
    // A path with a token in it would open a page to each reader of the log.
    const logged = route.includes('/:token') ? route : path;
    writeLine({ reqId: id, method, path: logged, status, ms: Math.round(milliseconds * 10) / 10 });
  };
}

/** The path of an address without its query, which may hold what no log should. */
export function pathOf({ url = '' }: { url?: string | undefined }): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

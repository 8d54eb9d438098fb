import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { messagesErrorBody } from '../../http/error-body.ts';
import type { ObserveAnswer } from '../../http/observe-answer.ts';
import { CLIENT_GONE, pathOf } from '../../http/observe-answer.ts';
import { newRequestId, requestIdFrom } from '../../http/request-id.ts';
import { JSON_HEADERS, STRICT_TRANSPORT } from '../../http/security-headers.ts';
import { discardRest } from './discard-rest.ts';
import { sendTogether } from './send-together.ts';

/** What every answer leaves behind. */
export interface Observers {
  logger: Logger;
  observe: ObserveAnswer;
  /** Whether the service's address is https: then every answer asks for it, as those of the application do. */
  https?: boolean | undefined;
}

const FIXED_HEADERS = Object.entries(JSON_HEADERS).flat();
const OVER_HTTPS = [...FIXED_HEADERS, 'strict-transport-security', STRICT_TRANSPORT];

/** One request under `/v1` and its one answer: ids, headers, log line and metrics are the same for every answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** `req_…`, in the header `request-id` and in error bodies. */
  readonly id = newRequestId();
  /** Headers of this answer beside the fixed ones, as a flat list. */
  readonly headers: string[] = [];
  /** The pattern for the metrics. */
  route = 'unmatched';
  private readonly observers: Observers;
  private readonly startedAt = performance.now();
  private answered = false;

  constructor(request: IncomingMessage, response: ServerResponse, observers: Observers) {
    this.request = request;
    this.response = response;
    this.observers = observers;
  }

  get path(): string {
    return pathOf(this.request);
  }

  get isAnswered(): boolean {
    return this.answered;
  }

  /** Answers with JSON text, once; later calls and answers to a client that has gone are dropped. */
  send(status: number, json: string): void {
    if (this.answered) return;
    this.answered = true;
    const { request, response } = this;
    if (!response.destroyed) {
      const given = request.headers['x-request-id'];
      response.writeHead(status, [
        ...(this.observers.https ? OVER_HTTPS : FIXED_HEADERS),
        'content-length',
        String(Buffer.byteLength(json)),
        'request-id',
        this.id,
        'x-request-id',
        given === undefined ? this.id : requestIdFrom(given),
        ...this.headers,
      ]);
      if (request.complete) {
        sendTogether(response, json);
      } else {
        response.end(json);
        discardRest(request, response);
      }
    }
    this.observe(status);
  }

  /** Answers with the error body of the Messages API. */
  fail(status: number, message: string, ...headers: string[]): void {
    this.headers.push(...headers);
    this.send(status, JSON.stringify(messagesErrorBody(status, message, this.id)));
  }

  /** An error of ours: told to the log in full, to the client not at all. */
  fault(error: unknown): void {
    this.observers.logger.error({ err: error, reqId: this.id }, 'unexpected error');
    this.fail(500, 'Internal server error');
  }

  warn(error: unknown, message: string): void {
    this.observers.logger.warn({ err: error, reqId: this.id }, message);
  }

  /** The client went away before the answer; 499 in log and metrics, as proxies write it. */
  abandon(): void {
    if (this.answered) return;
    this.answered = true;
    this.observe(CLIENT_GONE);
  }

  private observe(status: number): void {
    const { id, request, route, path } = this;
    const milliseconds = performance.now() - this.startedAt;
    this.observers.observe({ id, method: request.method!, route, path, status, milliseconds });
  }
}

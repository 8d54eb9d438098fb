import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerCount, type CountDependencies } from './count-tokens.ts';
import { Exchange, type Observers } from './exchange.ts';
import { answerModel, answerModelList } from './models.ts';

const COUNT = '/v1/messages/count_tokens';
const MODELS = '/v1/models';
const MODEL = '/v1/models/';
const READ = ['GET', 'HEAD'];

/** Answers everything under `/v1`, and hands all else on by `false`. Runs before, or inside, the web framework. */
export type AnswerV1 = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The interface of the Messages API, as one function of Node's own request and response. */
export function createV1(deps: CountDependencies, observers: Observers): AnswerV1 {
  return (request, response) => {
    const { url } = request;
    if (url === undefined || !url.startsWith('/v1') || !isBorder(url.charCodeAt(3))) return false;
    const exchange = new Exchange(request, response, observers);
    try {
      route(exchange, deps);
    } catch (error) {
      exchange.fault(error);
    }
    return true;
  };
}

/** End of the text, `/` or `?`. */
const isBorder = (code: number): boolean => Number.isNaN(code) || code === 0x2f || code === 0x3f;

function route(exchange: Exchange, deps: CountDependencies): void {
  const { path } = exchange;
  if (path === COUNT) {
    exchange.route = COUNT;
    return isMethod(exchange, 'POST') ? answerCount(exchange, deps) : undefined;
  }
  if (path === MODELS) {
    exchange.route = MODELS;
    return isMethod(exchange, ...READ) ? answerModelList(exchange, deps.keys) : undefined;
  }
  const id = path.startsWith(MODEL) ? decode(path.slice(MODEL.length)) : undefined;
  if (id !== undefined && id !== '' && !id.includes('/')) {
    exchange.route = `${MODEL}:id`;
    return isMethod(exchange, ...READ) ? answerModel(exchange, deps.keys, id) : undefined;
  }
  exchange.fail(404, `There is nothing at this address. POST ${COUNT} counts tokens, GET ${MODELS} lists the models.`);
}

function isMethod(exchange: Exchange, ...methods: readonly string[]): boolean {
  const { method } = exchange.request;
  if (methods.includes(method!)) return true;
  exchange.fail(405, `Method ${method} is not allowed here; use ${methods.join(' or ')}.`, 'allow', methods.join(', '));
  return false;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

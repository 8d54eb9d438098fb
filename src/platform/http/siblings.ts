import type { Figures } from './read-metrics.ts';
import { within } from './within.ts';

/** One end of the channel between the first process and one that it started (`ChildProcess`, `process`). */
interface Channel {
  send?(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message', heard: (message: unknown) => void): unknown;
  once(event: 'exit' | 'disconnect', heard: () => void): unknown;
}

/** The processes that serve one port together, as one of them sees them. */
export interface Siblings {
  /** Says how this process reads its own figures, which the others ask for. */
  answerWith(read: () => Promise<Figures>): void;
  /** The figures of each process, this one's first; one that does not answer in four seconds is left out. */
  askAll(): Promise<readonly Figures[]>;
  /** Makes a process that this one started one of them, until it ends; only the first process has such. */
  add(child: Channel): void;
}

/** `own`: what a process tells of itself; `all`: what the first process has gathered from each. */
type Message = { ask: 'own' | 'all'; id: number } | { told: readonly Figures[]; id: number };

/** Prometheus waits for ten seconds. */
const ANSWER_WITHIN_MS = 4_000;

/**
 * `first` is the channel to the process that started this one, for one of several; without it this is the first, which
 * alone knows all of them.
 */
export function createSiblings(first?: Channel, answerWithin = ANSWER_WITHIN_MS): Siblings {
  const children = new Set<Channel>();
  const waiting = new Map<number, (told: readonly Figures[]) => void>();
  let questions = 0;
  let readOwn: () => Promise<Figures> = async () => [];

  const ask = async (whom: Channel, what: 'own' | 'all', milliseconds: number): Promise<readonly Figures[]> => {
    const id = (questions += 1);
    const { promise, resolve } = Promise.withResolvers<readonly Figures[]>();
    waiting.set(id, resolve);
    try {
      tell(whom, { ask: what, id });
      return await within(milliseconds, promise, () => []);
    } finally {
      waiting.delete(id);
    }
  };
  const askAll = async (): Promise<readonly Figures[]> => {
    if (first) {
      // Twice as long, since the first process waits for the others in its turn.
      const all = await ask(first, 'all', 2 * answerWithin);
      return all.length > 0 ? all : [await readOwn()];
    }
    const own = readOwn();
    const others = await Promise.all([...children].map((child) => ask(child, 'own', answerWithin)));
    return [await own, ...others.flat()];
  };
  const hear = (from: Channel): void =>
    void from.on('message', (message) => {
      if (!isMessage(message)) return;
      if ('told' in message) return waiting.get(message.id)?.(message.told);
      const told = message.ask === 'all' ? askAll() : readOwn().then((own) => [own]);
      void told.then(
        (figures) => tell(from, { told: figures, id: message.id }),
        () => {}, // the one that asked leaves this process out
      );
    });

  if (first) hear(first);
  return {
    answerWith: (read) => void (readOwn = read),
    askAll,
    add(child) {
      children.add(child);
      hear(child);
      for (const event of ['exit', 'disconnect'] as const) child.once(event, () => children.delete(child));
    },
  };
}

/** Where the other end has gone, the question runs into its timeout; without a callback it would be an error here. */
const tell = (whom: Channel, message: Message): void => void whom.send?.(message, () => {});

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'id' in message && ('ask' in message || 'told' in message);

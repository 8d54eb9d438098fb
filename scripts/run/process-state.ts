type Values = Map<string, unknown>;

/** What a test may listen for. */
const EVENTS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Remembers what the files that share a process share with it: environment, globals, working directory, listeners. The
 * function that it returns puts environment and globals back and names all that was changed.
 */
export function restoreProcess(): () => string[] {
  const environment = new Map<string, unknown>(Object.entries(process.env));
  const globals = globalsNow();
  const folder = process.cwd();
  const listeners = EVENTS.map((event) => process.listenerCount(event));
  return () => [
    ...restore(environment, new Map(Object.entries(process.env)), process.env).map((name) => `process.env.${name}`),
    ...restore(globals, globalsNow(), globalThis as unknown as Record<string, unknown>).map(
      (name) => `globalThis.${name}`,
    ),
    ...(process.cwd() === folder ? [] : [(process.chdir(folder), 'the working directory')]),
    ...EVENTS.filter((event, place) => process.listenerCount(event) !== listeners[place]).map(
      (event) => `listeners of ${event}`,
    ),
  ];
}

/** Where a library keeps its own, from its first import on. */
const OF_LIBRARIES = /^(__zod_|__core-js_shared__|pdfjs|_pdfjs|DOMMatrix$)/;

/** Values of plain properties; those that a getter makes, such as `crypto`, are loaded when they are first read. */
const globalsNow = (): Values =>
  new Map(
    Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) =>
      value === undefined || OF_LIBRARIES.test(name) ? [] : [[name, value as unknown]],
    ),
  );

function restore(before: Values, now: Values, target: Record<string, unknown>): string[] {
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => !Object.is(before.get(name), now.get(name)),
  );
  for (const name of changed)
    if (before.has(name)) target[name] = before.get(name);
    else delete target[name];
  return changed;
}

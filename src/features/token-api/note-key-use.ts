const MINUTE_MS = 60_000;
const WRITE_EVERY_MS = 5_000;
const MAX_KEYS = 100_000;

export interface KeyUse {
  /** Notes that a key was used; costs a look into a map. */
  note(keyId: string): void;
  /** Writes what is still unwritten. */
  close(): Promise<void>;
}

/** Gathers used keys and writes them in one statement every few seconds, each key at most once a minute. */
export function createKeyUse(write: (ids: string[]) => Promise<void>, onError: (error: unknown) => void): KeyUse {
  const writtenAt = new Map<string, number>();
  let unwritten = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...unwritten];
    unwritten = new Set();
    if (ids.length === 0) return;
    await write(ids).catch((error: unknown) => {
      for (const id of ids) writtenAt.delete(id);
      onError(error);
    });
  };

  return {
    note(keyId) {
      const at = performance.now();
      const last = writtenAt.get(keyId);
      if (last !== undefined && at - last < MINUTE_MS) return;
      if (writtenAt.size >= MAX_KEYS) writtenAt.clear();
      writtenAt.set(keyId, at);
      unwritten.add(keyId);
      timer ??= setTimeout(() => void flush(), WRITE_EVERY_MS).unref();
    },
    close: flush,
  };
}

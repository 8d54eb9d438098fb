const MIN_RECORD_INTERVAL_MS = 60_000;
const WRITE_INTERVAL_MS = 5_000;
const MAX_KEYS = 100_000;

export interface KeyUsageRecorder {
  /** Records that a key was used. Costs one map lookup. */
  record(keyId: string): void;
  /** Writes the remaining updates. */
  close(): Promise<void>;
}

/** Creates a recorder that writes used keys in one statement every few seconds, each key at most once a minute. */
export function createKeyUsageRecorder(
  write: (ids: string[]) => Promise<void>,
  onError: (error: unknown) => void,
): KeyUsageRecorder {
  const writtenAt = new Map<string, number>();
  let pendingIds = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...pendingIds];
    pendingIds = new Set();
    if (ids.length === 0) return;
    await write(ids).catch((error: unknown) => {
      for (const id of ids) writtenAt.delete(id);
      onError(error);
    });
  };

  return {
    record(keyId) {
      const now = performance.now();
      const lastWrittenAt = writtenAt.get(keyId);
      if (lastWrittenAt !== undefined && now - lastWrittenAt < MIN_RECORD_INTERVAL_MS) return;
      if (writtenAt.size >= MAX_KEYS) writtenAt.clear();
      writtenAt.set(keyId, now);
      pendingIds.add(keyId);
      timer ??= setTimeout(() => {
        void flush();
      }, WRITE_INTERVAL_MS).unref();
    },
    close: flush,
  };
}

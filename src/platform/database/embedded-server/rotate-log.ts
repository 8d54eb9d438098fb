import { open, stat, truncate, writeFile } from 'node:fs/promises';

const MAX_BYTES = 5 * 1024 * 1024;
const CHECK_INTERVAL_MS = 10_000;

/**
 * Limits the size of the server's log. Above `maxBytes` its newest part moves to `<path>.1` and the file is truncated.
 * The server continues, since it appends. Returns a function that ends the checks.
 */
export function startLogRotation(
  path: string,
  { maxBytes = MAX_BYTES, checkMs: checkIntervalMs = CHECK_INTERVAL_MS } = {},
): { stop(): void } {
  let rotation: Promise<void> | undefined;
  const timer = setInterval(() => {
    rotation ??= rotate(path, maxBytes)
      .catch(() => {})
      .finally(() => {
        rotation = undefined;
      });
  }, checkIntervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

async function rotate(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  const newest = Buffer.alloc(maxBytes);
  await using file = await open(path, 'r');
  const { bytesRead } = await file.read(newest, 0, maxBytes, size - maxBytes);
  await writeFile(`${path}.1`, newest.subarray(0, bytesRead), { mode: 0o600 });
  await truncate(path);
}

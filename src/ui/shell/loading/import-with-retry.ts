/** Error of a chunk that failed to load. A retry may help, unless the chunk is `gone` after an update of the app. */
export class ChunkLoadError extends Error {
  override readonly name = 'PartMissing';
  readonly isDeleted: boolean;

  constructor(message: string, isDeleted: boolean) {
    super(message);
    this.isDeleted = isDeleted;
  }
}

const loadByPath = new Map<string, Promise<void>>();

/**
 * Wraps every `import()` of the build and fetches the chunk first. A browser caches a failed `import()` for the
 * lifetime of the page. A failed `fetch()` can be repeated, and the import then reads the HTTP cache. The bundler's
 * `vite:preloadError` is not enough: it fires after the `import()` has failed. Chromium 153 then rejects every further
 * import of the file without a request, and only a reload helps.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  if (loadByPath.size === 0) for (const href of listDocumentScripts()) loadByPath.set(href, Promise.resolve());
  await Promise.all(files.map((file) => loadChunk(`/${file}`)));
  return load();
}

/** Returns the scripts that the document itself has requested. They are loaded or loading. */
function listDocumentScripts(): string[] {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map(({ href }) => href);
  return [...scripts, ...links].map((href) => new URL(href).pathname);
}

/** Fetches a file, single-flight. Fetches again after a failure. */
function loadChunk(path: string): Promise<void> {
  const pendingLoad = loadByPath.get(path);
  if (pendingLoad) return pendingLoad;
  const chunkLoad = prefetchChunk(path).catch((error: unknown) => {
    loadByPath.delete(path);
    throw error;
  });
  loadByPath.set(path, chunkLoad);
  return chunkLoad;
}

async function prefetchChunk(path: string): Promise<void> {
  const throwLoadError = (error: Error): never => {
    throw new ChunkLoadError(`failed to load ${path}: ${error.message}`, false);
  };
  // The second attempt covers a reused connection that was already closed.
  const response = await fetch(path)
    .catch(() => fetch(path))
    .catch(throwLoadError);
  if (!response.ok) throw new ChunkLoadError(`${path} answered ${response.status}`, response.status === 404);
  await response.arrayBuffer().catch(throwLoadError);
}

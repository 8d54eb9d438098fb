/** A part's file did not arrive; asking for it again may help, unless it is `gone` since the app was updated. */
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
 * What each `import()` becomes in the build: the part's files are fetched before it is imported. The browser remembers
 * a module that failed to arrive for as long as the page lives; a fetch can be made again, and the import takes what it
 * has brought from the cache. The bundler's `vite:preloadError` would not do: it comes after the `import()` has failed,
 * and Chromium 153 then rejects every further one of that file without a request, so that only a reload would help.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  if (loadByPath.size === 0) for (const href of listDocumentScripts()) loadByPath.set(href, Promise.resolve());
  await Promise.all(files.map((file) => loadChunk(`/${file}`)));
  return load();
}

/** The scripts that the document itself has asked for: they are here already, or on their way. */
function listDocumentScripts(): string[] {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map(({ href }) => href);
  return [...scripts, ...links].map((href) => new URL(href).pathname);
}

/** Fetches a file, single-flight; again after a failure. */
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
    throw new ChunkLoadError(`${path} did not arrive: ${error.message}`, false);
  };
  // The second try is for a connection that had been closed when it was used again.
  const response = await fetch(path)
    .catch(() => fetch(path))
    .catch(throwLoadError);
  if (!response.ok) throw new ChunkLoadError(`${path} answered ${response.status}`, response.status === 404);
  await response.arrayBuffer().catch(throwLoadError);
}

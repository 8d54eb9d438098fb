/** A part's file did not arrive; asking for it again may help, unless it is `gone` since the app was updated. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
  readonly gone: boolean;

  constructor(words: string, gone: boolean) {
    super(words);
    this.gone = gone;
  }
}

const arriving = new Map<string, Promise<void>>();

/**
 * What each `import()` becomes in the build: the part's files are fetched before it is imported. The browser remembers
 * a module that failed to arrive for as long as the page lives; a fetch can be made again, and the import takes what it
 * has brought from the cache. The bundler's `vite:preloadError` would not do: it comes after the `import()` has failed,
 * and Chromium 153 then rejects every further one of that file without a request, so that only a reload would help.
 */
export async function importPart<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  if (arriving.size === 0) for (const href of namedByDocument()) arriving.set(href, Promise.resolve());
  await Promise.all(files.map((file) => arrives(`/${file}`)));
  return load();
}

/** The scripts that the document itself has asked for: they are here already, or on their way. */
function namedByDocument(): string[] {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map(({ href }) => href);
  return [...scripts, ...links].map((href) => new URL(href).pathname);
}

/** Fetches a file, single-flight; again after a failure. */
function arrives(path: string): Promise<void> {
  const known = arriving.get(path);
  if (known) return known;
  const asked = fetchWhole(path).catch((error: unknown) => {
    arriving.delete(path);
    throw error;
  });
  arriving.set(path, asked);
  return asked;
}

async function fetchWhole(path: string): Promise<void> {
  const broken = (error: Error): never => {
    throw new PartMissing(`${path} did not arrive: ${error.message}`, false);
  };
  // The second try is for a connection that had been closed when it was used again.
  const answer = await fetch(path)
    .catch(() => fetch(path))
    .catch(broken);
  if (!answer.ok) throw new PartMissing(`${path} answered ${answer.status}`, answer.status === 404);
  await answer.arrayBuffer().catch(broken);
}

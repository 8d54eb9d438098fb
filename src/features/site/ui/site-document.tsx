import { useEffect, useState } from 'react';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { SiteDocument, SiteDocumentName } from '../contract.ts';

const TIMEOUT_MS = 15_000;

/** Shows a page that the operator can fill, or its default text. `title` is its heading while it loads. */
export function SiteDocumentPage({ name, title }: { name: SiteDocumentName; title: string }) {
  const [document, setDocument] = useState<SiteDocument | 'loading' | 'unavailable'>('loading');
  useEffect(() => {
    const left = new AbortController();
    void readDocument(name, left.signal).then((read) => {
      if (!left.signal.aborted) setDocument(read);
    });
    return () => left.abort();
  }, [name]);
  return (
    <article className="mx-auto grid max-w-prose gap-4" data-loading={document === 'loading' || undefined}>
      <h1 className="text-title font-semibold tracking-tight">
        {typeof document === 'string' ? title : document.title}
      </h1>
      {document === 'loading' && <Skeleton lines={6} label={`Loading ${title.toLowerCase()}`} />}
      {document === 'unavailable' && (
        <p role="alert" className="text-ink-soft">
          This page is not available right now. Reload it to try again.
        </p>
      )}
      {typeof document === 'object' && (
        // The service renders it from Markdown and shows HTML in it as text.
        // oxlint-disable-next-line react/no-danger
        <div className="document" dangerouslySetInnerHTML={{ __html: document.html }} />
      )}
    </article>
  );
}

/** Reads the page without a credential, since a visitor has none. */
async function readDocument(name: SiteDocumentName, signal: AbortSignal): Promise<SiteDocument | 'unavailable'> {
  try {
    const response = await fetch(`/api/site/documents/${name}`, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return response.ok ? ((await response.json()) as SiteDocument) : 'unavailable';
  } catch {
    return 'unavailable';
  }
}

import { formatAge } from '../../../ui/kit/formats.ts';
import type { ShownSecurity } from '../contract.ts';

interface SecurityNewsProps {
  security: ShownSecurity;
  /** Time of the response, from which the age of the articles counts. */
  nowMs: number;
}

/** Shows the newest articles about the security, or why there are none. Bonds have no news. */
export function SecurityNews({ security, nowMs }: SecurityNewsProps) {
  const { news, symbol, asset_type: assetType } = security;
  if (assetType === 'bond') return null;
  return (
    <section aria-label={`News about ${symbol}`}>
      <h3 className="text-small font-semibold">News</h3>
      {news.length === 0 ? (
        <p className="mt-1 text-small text-ink-faint">{getNoNewsMessage(security)}</p>
      ) : (
        <ul className="mt-1">
          {news.map(({ title, url, source, published_at: publishedAt }) => (
            <li key={url} className="relative -mx-2 rounded-control border-t border-line px-2 py-2 hover:bg-sunken">
              <a
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                className="line-clamp-2 text-small font-medium after:absolute after:inset-0 after:content-['']"
              >
                {title}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
              <p className="flex gap-2 text-micro text-ink-faint">
                <span className="truncate">{source}</span>
                <time dateTime={publishedAt} className="shrink-0">
                  {formatAge(publishedAt, new Date(nowMs))}
                </time>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function getNoNewsMessage({ pending, unavailable }: ShownSecurity): string {
  if (pending.includes('news')) return 'Loading news…';
  return unavailable.includes('news') ? 'News is not available right now.' : 'No news in the last days.';
}

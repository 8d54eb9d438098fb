import { useState } from 'react';
import type { Article } from '../../dashboard/contract.ts';
import { ago } from './card-words.ts';
import { CardFoot } from './card-foot.tsx';
import { useNews } from './card-queries.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { CardShell, RowSkeleton } from './card-shell.tsx';
import { EmptyCard } from './empty-card.tsx';

/** Of these and their foot the card is no higher than without them. */
const FIRST_ROWS = 4;
/** The button that opens a link in a new tab; the right one only opens a menu. */
const MIDDLE = 1;

const noCompanies = (
  <EmptyCard title="News about what you own" text="Articles about what you own or watch stand here." />
);

/** The dashboard's card `news`: the newest articles about what is held and watched. */
export function NewsCard({ hasWatchlist, has, onEvent }: CardProps) {
  const [open, setOpen] = useState(false);
  const news = useNews();
  const noNews = hasWatchlist ? (
    <EmptyCard title="It is quiet" text="There is no news about your companies right now." small={!has.follows} />
  ) : (
    noCompanies
  );
  return (
    <CardShell title="Latest news" query={news} skeleton={has.follows ? <RowSkeleton rows={6} label /> : noCompanies}>
      {({ articles }) =>
        articles.length === 0 ? (
          noNews
        ) : (
          <>
            <ul aria-label="Latest news">
              {(open ? articles : articles.slice(0, FIRST_ROWS)).map((article) => (
                <ArticleRow
                  key={article.url}
                  article={article}
                  now={news.dataUpdatedAt}
                  onOpen={() =>
                    onEvent('dashboard_news_article_clicked', {
                      from_watchlist: article.from_watchlist,
                      related_watched: article.related_watched,
                    })
                  }
                />
              ))}
            </ul>
            {articles.length > FIRST_ROWS && (
              <CardFoot open={open} count={articles.length} noun="articles" onToggle={() => setOpen(!open)} />
            )}
          </>
        )
      }
    </CardShell>
  );
}

function ArticleRow({ article, now, onOpen }: { article: Article; now: number; onOpen: () => void }) {
  const { title, url, source, published_at: at, related_held: held, related_watched: watched } = article;
  const onlyWatched = watched.filter((symbol) => !held.includes(symbol));
  return (
    <li
      className={
        'relative flex h-[5.2rem] flex-col justify-center border-t border-line px-4 ' +
        'first:border-transparent hover:bg-sunken sm:px-5'
      }
    >
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={onOpen}
        onAuxClick={(event) => event.button === MIDDLE && onOpen()}
        className="line-clamp-2 shrink-0 font-medium after:absolute after:inset-0 after:content-['']"
      >
        {title}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <p className="flex h-5 items-center gap-x-2 overflow-hidden text-small text-ink-faint">
        <span className="truncate">{source}</span>
        <time dateTime={at} className="shrink-0">
          {ago(at, new Date(now))}
        </time>
        {held.slice(0, 3).map((symbol) => (
          <span key={symbol} className="shrink-0 font-medium text-ink-soft">
            {symbol}
          </span>
        ))}
        {onlyWatched.slice(0, 2).map((symbol) => (
          <span key={symbol} className="shrink-0 font-medium text-accent">
            <span className="sr-only">Watching </span>
            {symbol}
          </span>
        ))}
      </p>
    </li>
  );
}

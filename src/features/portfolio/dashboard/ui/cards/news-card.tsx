import { useState } from 'react';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import type { Article } from '../../contract.ts';
import { formatAge } from '../../../../../ui/kit/formats.ts';
import { CardFooter } from './card-footer.tsx';
import { useNews } from './card-queries.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { QueryCard, RowSkeleton } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';

/** Number of rows of the collapsed card, which makes it as high as the other cards. */
const COLLAPSED_ROWS = 4;
/** `MouseEvent.button` of the middle button, which opens a link in a new tab. */
const MIDDLE_BUTTON = 1;

/** Shows the latest articles about held and watched securities. */
export function NewsCard({ hasWatchlist, presence, onAddInvestment, onEvent }: CardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const news = useNews();
  const emptyNews = (
    <EmptyCard
      text="News about companies you own or watch."
      action={{ label: 'Add investment', run: onAddInvestment }}
    />
  );
  const emptyList =
    hasWatchlist || presence.holdings ? (
      <EmptyCard text="There is no news about your companies right now." />
    ) : (
      emptyNews
    );
  return (
    <QueryCard
      id="news"
      title="Latest news"
      query={news}
      hasRows={presence.heldOrWatched}
      skeleton={presence.heldOrWatched ? <RowSkeleton rows={6} textOnly /> : emptyNews}
    >
      {({ articles }) =>
        articles.length === 0 ? (
          emptyList
        ) : (
          <>
            <ul aria-label="Latest news">
              {(isOpen ? articles : articles.slice(0, COLLAPSED_ROWS)).map((article) => (
                <ArticleRow
                  key={article.url}
                  article={article}
                  nowMs={news.dataUpdatedAt}
                  onOpen={() =>
                    onEvent('dashboard_news_article_clicked', {
                      from_watchlist: article.from_watchlist,
                      related_watched: article.related_watched,
                    })
                  }
                />
              ))}
            </ul>
            {articles.length > COLLAPSED_ROWS && (
              <CardFooter isOpen={isOpen} count={articles.length} noun="articles" onToggle={() => setIsOpen(!isOpen)} />
            )}
          </>
        )
      }
    </QueryCard>
  );
}

/** The ticker is above the article's link, which covers the row. */
const tickerClass = 'relative z-1 -mx-1 grid h-6 shrink-0 place-items-center px-1 font-medium hover:underline';

function ArticleRow({ article, nowMs, onOpen }: { article: Article; nowMs: number; onOpen: () => void }) {
  const { title, url, source, published_at: publishedAt, related_held: held, related_watched: watched } = article;
  const onlyWatched = watched.filter((symbol) => !held.includes(symbol));
  return (
    <li
      ref={joinTabStops}
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
        onAuxClick={(event) => event.button === MIDDLE_BUTTON && onOpen()}
        className="line-clamp-2 shrink-0 font-medium after:absolute after:inset-0 after:content-['']"
      >
        {title}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <p className="-my-0.5 flex h-6 items-center gap-x-2 overflow-hidden text-small text-ink-faint">
        <span className="truncate">{source}</span>
        <time dateTime={publishedAt} className="shrink-0">
          {formatAge(publishedAt, new Date(nowMs))}
        </time>
        {held.slice(0, 3).map((symbol) => (
          <SecurityLink key={symbol} symbol={symbol} className={`${tickerClass} text-ink-soft`}>
            {symbol}
          </SecurityLink>
        ))}
        {onlyWatched.slice(0, 2).map((symbol) => (
          <SecurityLink key={symbol} symbol={symbol} className={`${tickerClass} text-accent`}>
            <span className="sr-only">Watching </span>
            {symbol}
          </SecurityLink>
        ))}
      </p>
    </li>
  );
}

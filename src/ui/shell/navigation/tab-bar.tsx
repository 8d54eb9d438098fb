import { Icon } from '../../kit/icon.tsx';
import { Link } from './link.tsx';
import { useNavigationClass, useNavigationEntries } from './watchlist-offer.ts';

/** Member's destinations at the bottom of a phone. Wider screens show them in the header. */
export function TabBar() {
  const entries = useNavigationEntries();
  const visibility = useNavigationClass();
  return (
    <nav aria-label="Pages" className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-page sm:hidden">
      <ul className={`flex ${visibility}`}>
        {entries.map(({ label, icon, href }) => (
          <li key={label} className="min-w-0 flex-1">
            <Link
              href={href}
              className={
                'flex h-bar flex-col items-center justify-center gap-0.5 text-micro font-medium text-ink-soft ' +
                'aria-[current]:text-accent focus-visible:-outline-offset-2'
              }
            >
              <Icon name={icon} size={20} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

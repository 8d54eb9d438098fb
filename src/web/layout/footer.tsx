import { usePlace } from '../lib/location.ts';
import { useMember } from '../lib/session.ts';
import { ThemeChoice } from '../ui/theme-choice.tsx';

/**
 * The last line of visitors' pages and of those where something is counted; visitors choose their theme here, members
 * in their account.
 */
export function Footer() {
  const member = useMember();
  const { path } = usePlace();
  if (member && path !== '/settings/api-keys') return null;
  return (
    <footer className="border-t border-line">
      <div
        className={
          'mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 ' +
          'py-5 text-small text-ink-faint sm:px-6'
        }
      >
        {/* An operator counts nothing. */}
        <p>{!path.startsWith('/operator/') && 'Counted on this server. Nothing you count is kept.'}</p>
        {!member && <ThemeChoice name="footer-theme" />}
      </div>
    </footer>
  );
}

import { useRef } from 'react';
import type { Member } from '../lib/session-state.ts';
import { signOut } from '../lib/sign-out.ts';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';

/** The account button and what opens under it. The platform's popover closes it on Escape and on a click elsewhere. */
export function AccountPanel({ member }: { member: Member }) {
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => panel.current?.hidePopover();
  return (
    <div>
      <button
        type="button"
        popoverTarget="account-panel"
        aria-label={`Account of ${member.email}`}
        className={
          'grid size-9 place-items-center rounded-full border border-line bg-surface text-ink-soft ' +
          'hover:border-line-strong hover:text-ink'
        }
      >
        <Icon name="person" />
      </button>
      <div ref={panel} id="account-panel" popover="auto" className="panel" role="group" aria-label="Account">
        <p className="px-3 pt-2 text-small text-ink-faint">Signed in as</p>
        <p className="truncate px-3 pb-3 font-medium" title={member.email}>
          {member.email}
        </p>
        <div className="border-y border-line px-3 py-3">
          <ThemeChoice name="panel-theme" showLegend />
        </div>
        <div className="pt-2">
          <Link href="/settings" className="panel-row" onClick={close}>
            Settings
          </Link>
          <button type="button" className="panel-row" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </div>
    </div>
  );
}

import { useConnectionKinds } from '../../../connections/ui/shared/use-connection-kinds.ts';
import { Icon, type IconName } from '../../../../ui/kit/icon.tsx';
import { useDemoAccount } from '../../../../ui/shell/session/demo-account.ts';
import { ImportHoldings } from '../../import/ui/import-holdings.tsx';
import type { CardProps } from './shared/dashboard-card.ts';

/** Lists the ways to add what the member owns, in the order of every page: connect, by hand, import. */
export function WaysToAdd({ onConnect, onAddInvestment }: Pick<CardProps, 'onConnect' | 'onAddInvestment'>) {
  const canConnect = useDemoAccount() === null;
  const { data: kinds } = useConnectionKinds();
  return (
    <ul className="mt-1 grid lg:grid-cols-3 lg:gap-2">
      {canConnect && kinds?.offers.length !== 0 && (
        <Way
          icon="bank"
          title="Connect an account"
          text="Balances and holdings update by themselves."
          onClick={onConnect}
        />
      )}
      <Way icon="pencil" title="Add by hand" text="Search a security, enter the quantity." onClick={onAddInvestment} />
      <li>
        <ImportHoldings privacy={false} className={wayClass}>
          <WayContent icon="import" title="Import a file" text="An export of your broker, or a template." />
        </ImportHoldings>
      </li>
    </ul>
  );
}

const wayClass = 'flex h-full min-h-14 w-full items-start gap-3 rounded-control px-2 py-1.5 text-start hover:bg-sunken';

interface WayContentProps {
  icon: IconName;
  title: string;
  text: string;
}

const Way = ({ onClick, ...content }: WayContentProps & { onClick: () => void }) => (
  <li>
    <button type="button" className={wayClass} onClick={onClick}>
      <WayContent {...content} />
    </button>
  </li>
);

const WayContent = ({ icon, title, text }: WayContentProps) => (
  <>
    <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
      <Icon name={icon} />
    </span>
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{title}</span>
      <span className="block text-small text-ink-soft">{text}</span>
    </span>
    <span className="self-center text-ink-faint">
      <Icon name="arrow" />
    </span>
  </>
);

import { Link } from '../../../../ui/shell/navigation/link.tsx';
import type { ListState } from '../../contract.ts';
import { capture, getPlansUrl, type UpgradeSource } from './capture.ts';

interface UpgradeLinkProps {
  source: UpgradeSource;
  list: ListState;
  /** Symbol that the member wanted to add. */
  symbol?: string | undefined;
  className?: string;
}

/** Links to the plans page and captures the place of the click. */
export function UpgradeLink({ source, list, symbol, className = 'link font-medium' }: UpgradeLinkProps) {
  return (
    <Link
      href={getPlansUrl(source, symbol)}
      className={className}
      onClick={() => capture('upgrade_cta_clicked', list, { source })}
    >
      Upgrade
    </Link>
  );
}

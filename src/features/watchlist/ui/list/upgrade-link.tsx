import { Link } from '../../../../ui/shell/navigation/link.tsx';
import type { ListState } from '../../contract.ts';
import { capture, getPlansUrl, type UpgradeSource } from './capture.ts';

interface UpgradeLinkProps {
  source: UpgradeSource;
  list: ListState;
  /** What was to be added. */
  symbol?: string | undefined;
  className?: string;
}

/** Leads to the plans and notes from where. */
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

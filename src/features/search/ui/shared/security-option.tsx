import type { SearchResult } from '../../contract.ts';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';

interface SecurityOptionProps {
  security: SearchResult;
  /** What the member has with it, such as "Held". */
  note: string | null;
}

/** Shows a security in a list of search results: logo, symbol, exchange, name, and former symbol if it was renamed. */
export const SecurityOption = ({ security, note }: SecurityOptionProps) => (
  <>
    <SecurityLogo symbol={security.symbol} logo={security.logo} />
    <span className="min-w-0 flex-1">
      <span className="block truncate font-semibold">
        {security.symbol} <span className="ms-1 text-micro font-normal text-ink-faint">{security.exchange}</span>
      </span>
      <span className="block truncate text-small text-ink-soft">{security.name}</span>
      {security.renamed_from && (
        <span className="block text-small text-ink-soft">{`${security.renamed_from} is ${security.symbol} now`}</span>
      )}
    </span>
    {note !== null && <span className="text-micro text-ink-faint">{note}</span>}
  </>
);

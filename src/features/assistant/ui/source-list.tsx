import { formatEastern } from '../../../ui/kit/new-york-time.ts';
import type { SourceLink } from '../contract.ts';
import { SafeLink } from './safe-link.tsx';

/** Lists the pages named by tools, each with its publisher and its time in New York. */
export const SourceList = ({ links, label }: { links: readonly SourceLink[]; label: string }) =>
  links.length > 0 && (
    <ul aria-label={label} className="grid gap-1.5 text-small">
      {links.map(({ url, title, source, published_at: at }) => (
        <li key={url}>
          <SafeLink url={url}>{title || url}</SafeLink>
          <span className="block text-micro text-ink-faint">
            {[source, at && formatEastern(new Date(at))].filter(Boolean).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );

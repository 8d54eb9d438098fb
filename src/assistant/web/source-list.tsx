import { formatMoment } from '../../web/lib/formats.ts';
import type { SourceLink } from '../contract.ts';
import { SafeLink } from './safe-link.tsx';

/** The pages that tools have named, each with who published it and when. */
export const SourceList = ({ links, label }: { links: readonly SourceLink[]; label: string }) =>
  links.length > 0 && (
    <ul aria-label={label} className="grid gap-1.5 text-small">
      {links.map(({ url, title, source, published_at: at }) => (
        <li key={url}>
          <SafeLink url={url}>{title || url}</SafeLink>
          <span className="block text-micro text-ink-faint">
            {[source, at && formatMoment(at)].filter(Boolean).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );

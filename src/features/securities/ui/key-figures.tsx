import type { ShownSecurity } from '../contract.ts';
import { listKeyFigures } from './list-key-figures.ts';

/** Shows the key figures. A missing one is a dash with the reason. */
export function KeyFigures({ security }: { security: ShownSecurity }) {
  return (
    <dl className="grid text-small">
      {listKeyFigures(security).map((figure) => (
        <div key={figure.label} className="flex justify-between gap-4 border-t border-line py-1.5">
          <dt className="shrink-0 text-ink-faint">{figure.label}</dt>
          {'text' in figure ? (
            <dd className="text-end font-medium">
              {figure.text}
              {figure.detail && (
                <span className="block text-micro font-normal text-ink-faint">
                  <span className="sr-only">, </span>
                  {figure.detail}
                </span>
              )}
            </dd>
          ) : (
            <dd className="text-end text-ink-faint">
              <span aria-hidden="true">– </span>
              <span className="text-micro">{figure.reason}</span>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

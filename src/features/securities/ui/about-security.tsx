import type { ShownSecurity } from '../contract.ts';

/** Shows description, industry and website, or why there is no description. Bonds have none. */
export function AboutSecurity({ security }: { security: ShownSecurity }) {
  const { about, name, asset_type: assetType } = security;
  if (assetType === 'bond') return null;
  return (
    <section aria-label={`About ${name}`} className="grid gap-1 pb-2 text-small">
      <h3 className="font-semibold">About</h3>
      <p className={about.description === null ? 'text-ink-faint' : 'text-ink-soft'}>
        {about.description ?? getNoDescriptionMessage(security)}
      </p>
      {(about.industry !== null || about.website !== null) && (
        <p className="flex flex-wrap gap-x-3 text-ink-faint">
          {about.industry !== null && <span>{about.industry}</span>}
          {about.website !== null && (
            <a href={about.website} target="_blank" rel="noopener noreferrer" className="link">
              {new URL(about.website).hostname.replace(/^www\./, '')}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </p>
      )}
    </section>
  );
}

function getNoDescriptionMessage({ pending, unavailable }: ShownSecurity): string {
  if (pending.includes('fundamentals')) return 'Loading…';
  return unavailable.includes('fundamentals')
    ? 'The description is not available right now.'
    : 'The data source has no description of this security.';
}

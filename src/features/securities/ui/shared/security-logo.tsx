import { useState } from 'react';
import { isMissingLogo, recordMissingLogo } from './missing-logos.ts';

/** Colors of the letters that replace logos, so that rows are easy to distinguish. */
const tintClasses = ['bg-sunken text-ink-soft', 'bg-accent-soft text-accent', 'bg-warn-soft text-warn'] as const;

/**
 * Shows a security's logo, or else the first letters of its symbol. The logo is decorative, because the name is next to
 * it.
 */
export function SecurityLogo({
  symbol,
  logo,
  size = 32,
}: {
  symbol: string;
  logo: string | null;
  size?: 24 | 32 | 44;
}) {
  const [brokenLogo, setBrokenLogo] = useState<string | null>(null);
  const sizeClass = { 24: 'size-6 text-micro', 32: 'size-8 text-micro', 44: 'size-11 text-body' }[size];
  if (logo !== null && logo !== brokenLogo && !isMissingLogo(logo)) {
    // Each logo has its own element. Otherwise a row with a new ticker would show the old logo until the new logo
    // loads.
    return (
      <img
        key={logo}
        src={logo}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => {
          // Offline, a failed request does not mean that the logo is missing.
          if (navigator.onLine) recordMissingLogo(logo);
          setBrokenLogo(logo);
        }}
        className={`${sizeClass} shrink-0 rounded-control bg-sunken object-contain`}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={
        `${sizeClass} grid shrink-0 select-none place-items-center rounded-control ` +
        `font-semibold tracking-tight ${tintClasses[[...symbol].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3]}`
      }
    >
      {symbol.replace(/[^A-Z0-9]/gi, '').slice(0, 2)}
    </span>
  );
}

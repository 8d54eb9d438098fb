import { useState } from 'react';
import { isMissingLogo, recordMissingLogo } from './missing-logos.ts';

/** Of letters that stand in for logos, so that rows can be told apart at a glance. */
const tintClasses = ['bg-sunken text-ink-soft', 'bg-accent-soft text-accent', 'bg-warn-soft text-warn'] as const;

/** A security's logo, else the first letters of its symbol. Decoration: the name stands beside it. */
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
  const sizeClass = { 24: 'size-6 text-[0.5625rem]', 32: 'size-8 text-micro', 44: 'size-11 text-body' }[size];
  if (logo !== null && logo !== brokenLogo && !isMissingLogo(logo)) {
    // An element of its own for each: a row that shows another ticker must not show the last one's logo until the new
    // one is there.
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
          // Offline nothing is known of it.
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

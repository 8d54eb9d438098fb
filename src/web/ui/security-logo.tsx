import { useState } from 'react';

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
  const [broken, setBroken] = useState<string | null>(null);
  const box = { 24: 'size-6 text-[0.5625rem]', 32: 'size-8 text-micro', 44: 'size-11 text-body' }[size];
  if (logo !== null && logo !== broken) {
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
        onError={() => setBroken(logo)}
        className={`${box} shrink-0 rounded-control bg-sunken object-contain`}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={
        `${box} grid shrink-0 select-none place-items-center rounded-control ` +
        'bg-sunken font-semibold tracking-tight text-ink-soft'
      }
    >
      {symbol.replace(/[^A-Z0-9]/gi, '').slice(0, 2)}
    </span>
  );
}

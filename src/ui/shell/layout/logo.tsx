/** Logo mark: four rising strokes like a chart and a fifth across them, as in tally marks. */
export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeLinecap="round"
      strokeWidth="2.75"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d="M7 26v-7M13 26V15M19 26V11M25 26V7" stroke="currentColor" />
      <path d="M3.5 24.5 28.5 9.5" stroke="var(--color-mark)" />
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <LogoMark />
      {/* On narrow screens or with enlarged text, only the mark is shown. */}
      <span className="hidden text-lead font-semibold tracking-tight xs:inline">Tally</span>
    </span>
  );
}

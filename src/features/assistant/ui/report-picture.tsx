import type { ReactNode } from 'react';
import type { ReportKind } from '../contract.ts';

/** Drawing of what a report shows: its chart, table, list or calendar. The question beside it is its text. */
export const ReportPicture = ({ kind }: { kind: ReportKind }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 56 40"
    width={56}
    height={40}
    fill="none"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    className="shrink-0 rounded-control bg-sunken"
  >
    {pictures[kind]}
  </svg>
);

const rowHeights = [10, 20, 30];

const pictures: Readonly<Record<ReportKind, ReactNode>> = {
  why_moving: (
    <>
      <path className="stroke-line-strong" strokeDasharray="1 4" d="M8 26h40" />
      <path className="stroke-accent" d="M8 24l8 4 8-3 7 5 6-14 5 3 6-9" />
    </>
  ),
  whats_new: rowHeights.map((y) => (
    <g key={y}>
      <circle className="fill-accent" cx={10} cy={y} r={2} />
      <path className="stroke-line-strong" d={`M17 ${y}h${y === 20 ? 22 : 30}`} />
    </g>
  )),
  position: (
    <>
      <path className="stroke-accent" strokeWidth={5} d="M10 12h20" />
      <path className="stroke-line-strong" d="M9 22h38M9 31h26" />
    </>
  ),
  list_today: rowHeights.map((y) => (
    <g key={y}>
      <path className="stroke-line-strong" d={`M9 ${y}h12`} />
      <path className={y === 30 ? 'stroke-loss' : 'stroke-gain'} strokeWidth={4} d={`M30 ${y}h${22 - y / 2}`} />
    </g>
  )),
  reports_ahead: (
    <>
      <rect className="stroke-line-strong" x={13} y={8} width={30} height={25} rx={3} />
      <path className="stroke-line-strong" d="M13 15h30" />
      <path className="stroke-accent" strokeWidth={4} d="M20 22h0M28 22h0M36 27h0" />
    </>
  ),
  net_worth_change: (
    <>
      <path className="fill-accent-soft" d="M8 28l10-5 10 2 10-9 10-5v21H8z" />
      <path className="stroke-accent" d="M8 28l10-5 10 2 10-9 10-5" />
    </>
  ),
};

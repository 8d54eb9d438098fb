const paths = {
  check: 'M3.5 8.5l3 3 6-7',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2',
  eye: 'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8zM8 6a2 2 0 110 4 2 2 0 010-4z',
  'eye-off':
    'M2.5 2.5l11 11M6.2 3.8C9.6 2.9 12.7 4.3 14.5 8c-.5 1-1.1 1.8-1.8 2.5M10.3 12.1C6.7 13.2 3.4 ' +
    '11.9 1.5 8c.6-1.2 1.3-2.1 2.2-2.8',
  chevron: 'M4 6.5l4 4 4-4',
  person: 'M8 2.5a2.75 2.75 0 110 5.5 2.75 2.75 0 010-5.5zM2.5 13.5c.6-2.6 2.8-4 5.5-4s4.9 1.4 5.5 4',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 110 9 4.5 4.5 0 010-9zM10.3 10.3l3.2 3.2',
  pencil: 'M10.5 3l2.5 2.5-7.5 7.5-3 .5.5-3z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 015 0v2.3',
  home: 'M2.5 7.5L8 3l5.5 4.5M4 6.5v7h8v-7M6.75 13.5v-3.5h2.5v3.5',
  cards: 'M2.5 2.5h4.5v4.5H2.5zM2.5 9h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM11.25 9v4.5M9 11.25h4.5',
  arrange:
    'M2.5 2.5h4.5v4.5H2.5zM9 9h4.5v4.5H9zM11.25 2.5v4M9.5 4.9l1.75 1.75 1.75-1.75M4.75 13.5v-4M3 11.1l1.75-1.75 1.75 1.75',
  star: 'M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8-2.8-2.7 3.8-.5z',
  pie: 'M7 3.5a5 5 0 105.5 5.5H7zM9.5 2.5a4.5 4.5 0 014 4h-4z',
  bank: 'M2.5 6.5L8 3l5.5 3.5zM4 6.5v5M8 6.5v5M12 6.5v5M2.5 13h11',
  chat: 'M2.5 3h11v8h-6l-3 2.5V11h-2z',
  play: 'M5 3.5l7 4.5-7 4.5z',
  swap: 'M5 13V3.5M2.5 6L5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5',
  link: 'M6.5 9.5l3-3M7.5 4.8l1-1a2.6 2.6 0 013.7 3.7l-1 1M8.5 11.2l-1 1a2.6 2.6 0 01-3.7-3.7l1-1',
  sort: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  cycle: 'M3 6.5A5.2 5.2 0 0112.5 5M12.8 2.5V5h-2.5M13 9.5A5.2 5.2 0 013.5 11M3.2 13.5V11h2.5',
  contrast: 'M8 2.5a5.5 5.5 0 110 11 5.5 5.5 0 010-11zM8 2.5v11M8 5.5h3.2M8 8h4.2M8 10.5h3.2',
  bell: 'M3 11.5h10c-1-1-1.5-2-1.5-4.5a3.5 3.5 0 00-7 0c0 2.5-.5 3.5-1.5 4.5zM6.7 13.5c.3.5.8.7 1.3.7s1-.2 1.3-.7',
  import: 'M8 2.5v7.5M5 7l3 3 3-3M2.5 10.5v3h11v-3',
} as const;

export type IconName = keyof typeof paths;

/** Names of all icons, for the page that shows them. */
export const iconNames = Object.keys(paths) as IconName[];

/** 16-pixel line icon in the color of its text. The icon is decorative: the adjacent text carries the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  );
}

import type { CSSProperties } from 'react';
import { Icon, iconNames } from '../../kit/icon.tsx';
import { Samples } from './sample.tsx';

/** Sizes with their use. The classes are those of the product, since no others exist. */
const TYPE_SCALE = [
  ['text-display font-semibold tracking-display', 'display', 'headline of the landing page'],
  ['text-figure font-semibold tracking-tight', 'figure', 'net worth and other main figures'],
  ['text-title font-semibold tracking-tight', 'title', 'heading of a page or dialog'],
  ['text-lead font-semibold tracking-tight', 'lead', 'heading of a card'],
  ['text-body', 'body', 'text, buttons, fields'],
  ['text-small', 'small', 'labels, notes, tables'],
  ['text-micro', 'micro', 'badges, axes'],
] as const;

const COLORS = [
  'page',
  'surface',
  'raised',
  'sunken',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'ink-faint',
  'accent',
  'accent-strong',
  'accent-soft',
  'on-accent',
  'mark',
  'gain',
  'loss',
  'loss-soft',
  'warn',
  'warn-soft',
];

/** Steps of the spacing in quarters of a rem. */
const SPACES = [1, 2, 3, 4, 5, 6, 8, 12];

/** Shows type scale, colors, spacing and icons. */
export function TokenSamples() {
  return (
    <>
      <Samples title="Type scale">
        {TYPE_SCALE.map(([className, name, use]) => (
          <div key={name} className="gallery-state">
            <p className={className}>$1,234.56</p>
            <p className="text-micro text-ink-faint">{`${name}: ${use}`}</p>
          </div>
        ))}
      </Samples>
      <Samples title="Colors">
        <div className="gallery-row">
          {COLORS.map((name) => (
            <span
              key={name}
              className="gallery-swatch"
              style={{ '--gallery-color': `var(--color-${name})` } as CSSProperties}
            >
              {name}
            </span>
          ))}
        </div>
      </Samples>
      <Samples title="Spacing">
        {SPACES.map((step) => (
          <div key={step} className="gallery-row">
            <span className="gallery-space" style={{ width: `${step * 0.25}rem` }} />
            <span className="text-micro text-ink-faint">{`${step}: ${step * 4} px`}</span>
          </div>
        ))}
      </Samples>
      <Samples title="Icons">
        <div className="gallery-row">
          {iconNames.map((name) => (
            <span key={name} className="gallery-icon">
              <Icon name={name} /> {name}
            </span>
          ))}
        </div>
      </Samples>
    </>
  );
}

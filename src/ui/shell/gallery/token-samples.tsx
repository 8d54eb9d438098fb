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

/** Steps of the spacing with their use. The number of a step is its size in quarters of a rem. */
const SPACES = [
  ['0_5', 'inside a control'],
  ['1', 'between parts of a control'],
  ['1_5', 'label and field, dense rows'],
  ['2', 'icon and text, buttons in a row'],
  ['3', 'parts of a card'],
  ['4', 'edge of a card on a phone, paragraphs'],
  ['5', 'edge of a card, gap between cards'],
  ['6', 'edge of a page, sections of a card'],
  ['8', 'between sections'],
  ['12', 'end of a page'],
  ['bar', 'height of the header and the tab bar'],
] as const;

const RADII = [
  ['small', 'swatches, placeholders'],
  ['control', 'buttons, fields, notices'],
  ['card', 'cards, dialogs'],
  ['full', 'badges'],
] as const;

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
        {SPACES.map(([step, use]) => (
          <div key={step} className="gallery-row">
            <span className="gallery-space" style={{ width: `var(--spacing-${step})` }} />
            <span className="text-micro text-ink-faint">{`${step.replace('_', '.')}: ${use}`}</span>
          </div>
        ))}
      </Samples>
      <Samples title="Corners">
        <div className="gallery-row">
          {RADII.map(([name, use]) => (
            <span key={name} className="gallery-corner" style={{ borderRadius: `var(--radius-${name})` }}>
              {`${name}: ${use}`}
            </span>
          ))}
        </div>
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

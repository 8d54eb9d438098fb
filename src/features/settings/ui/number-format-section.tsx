import { useEffect, useRef } from 'react';
import { Card } from '../../../ui/kit/card.tsx';
import { formatDay, formatMoney } from '../../../ui/kit/formats.ts';
import { SelectMenu } from '../../../ui/kit/select-menu.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { chooseNumberFormat, numberFormatChoice } from '../../../ui/shell/number-format/number-format.ts';
import { numberFormatLabels } from './number-format-labels.ts';

/** Whether the list had the focus when its page was rendered anew in the chosen format. */
let hadFocus = false;

/** Shows how numbers and dates are written, by an amount in a currency. */
export function NumberFormatSection({ currency }: { currency: string }) {
  const chosen = useStore(numberFormatChoice);
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hadFocus) section.current?.querySelector('select')?.focus();
    hadFocus = false;
  });
  return (
    <Card title="Number format">
      <div ref={section}>
        <SelectMenu
          label="Number format"
          value={chosen}
          options={numberFormatLabels}
          onChange={(choice) => {
            hadFocus = true;
            chooseNumberFormat(choice);
          }}
          className="border border-line"
          selectClassName="min-h-8 ps-2"
        />
      </div>
      <p className="mt-2 max-w-prose text-small text-ink-faint">
        {`Amounts look like ${formatMoney(1_234_567.89, currency)}, and dates like ${formatDay('2026-11-29T12:00:00Z')}. `}
        Saved in this browser. “Automatic” follows its language.
      </p>
    </Card>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { ChoiceGroup } from '../../../ui/kit/choice-group.tsx';
import { formatLocale } from '../../../ui/kit/format-locale.ts';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { FormActions } from '../../../ui/kit/form-actions.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form } from '../../../ui/kit/form.tsx';
import { type ParsedNumber, parseNumber } from '../../../ui/kit/parse-number.ts';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import type { AlertSecurity } from '../../../ui/shell/alerts/alert-request.ts';
import { callApi } from '../../../ui/shell/api/api.ts';
import { formatPrice } from '../../../ui/kit/price-formats.ts';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { Alert } from '../contract.ts';
import { describeMetThreshold, describeTerms, repeatLabels } from './alert-labels.ts';
import { AlertRows } from './alert-rows.tsx';
import { rereadAlerts, useAlerts } from './alerts-query.ts';

const kinds = [
  { id: 'above', label: 'Rises to' },
  { id: 'below', label: 'Falls to' },
  { id: 'move', label: 'Moves by' },
] as const;
const repeatChoices = [
  { id: 'once', label: repeatLabels.once },
  { id: 'daily', label: repeatLabels.daily },
] as const;
const MAX_NOTE_LENGTH = 200;
const MAX_DECIMALS = 10;

interface SetAlertDialogProps {
  security: AlertSecurity;
  onClose: () => void;
}

/** Sets an alert of one security, and lists those that it has. */
export function SetAlertDialog({ security, onClose }: SetAlertDialogProps) {
  const { symbol } = security;
  const { data, error, refetch } = useAlerts();
  const existing = data?.alerts.filter((alert) => alert.symbol === symbol) ?? [];
  const isFull = data !== undefined && data.alerts.length >= data.limit;
  return (
    <Dialog title={`Alert for ${symbol}`} className="w-[min(26rem,calc(100vw-2rem))]" onClose={onClose} startsAtHeading>
      {isFull && (
        <p role="status" className="mt-3 rounded-control bg-warn-soft px-4 py-3 text-small text-warn">
          {`You have ${data.alerts.length} alerts, as many as your plan has tickers. Remove one, or `}
          <Link href="/plans" className="link" onClick={onClose}>
            see the plans
          </Link>
          .
        </p>
      )}
      <AlertForm security={security} onClose={onClose} />
      {existing.length > 0 && (
        <section className="mt-5 grid gap-2">
          <h3 className="text-small font-medium text-ink-soft">{`Alerts of ${symbol}`}</h3>
          <AlertRows alerts={existing} label={`Alerts of ${symbol}`} />
        </section>
      )}
      {error && !data && (
        <div className="mt-5">
          <ErrorMessage
            error={error}
            fallbackMessage="Your alerts could not be loaded."
            retry={() => {
              void refetch();
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

function AlertForm({ security, onClose }: SetAlertDialogProps) {
  const { symbol, currency, price_unit: unit } = security;
  const queries = useQueryClient();
  const [kind, setKind] = useState<Alert['kind']>('above');
  const [repeats, setRepeats] = useState<Alert['repeats']>('once');
  const isMove = kind === 'move';
  const [moveText, setMoveText] = useState('5');
  const [priceText, setPriceText] = useState('');

  const parseThreshold = (text: string): ParsedNumber =>
    parseNumber(text, {
      locale: formatLocale.get(),
      currency: isMove || unit !== 'currency' ? undefined : (currency ?? undefined),
      maxDecimals: MAX_DECIMALS,
    });

  const typed = parseThreshold(isMove ? moveText : priceText);
  const met = typed.ok ? describeMetThreshold(security, kind, typed.value) : undefined;

  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const text = getFieldText(data, 'threshold');
    if (!isMove && text.trim() === '') return [{ field: 'threshold', message: 'Type a price.' }];
    const parsed = parseThreshold(text);
    if (!parsed.ok) return [{ field: 'threshold', message: parsed.message }];
    if (parsed.value <= 0) return [{ field: 'threshold', message: 'Type a number above zero.' }];
    if (isMove && (parsed.value < 0.1 || parsed.value > 100))
      return [{ field: 'threshold', message: 'Type a percentage from 0.1 to 100.' }];
    const note = getFieldText(data, 'note').trim();
    const body = { symbol, kind, threshold: parsed.value, repeats, ...(note !== '' && { note }) };
    try {
      await callApi('POST /api/alerts', { body });
    } catch (error) {
      return [
        { field: null, message: error instanceof ApiError ? error.message : 'The alert was not set. Try again.' },
      ];
    }
    onClose();
    const fires = met === undefined ? '' : ` It ${met.firing}.`;
    showToast(`Alert set. ${symbol}: ${describeTerms({ ...body, currency, price_unit: unit })}.${fires}`);
    await rereadAlerts(queries);
    return [];
  }

  return (
    <div className="mt-4">
      <Form errorTitle="Could not set the alert" send={send}>
        {({ pending, getProblem }) => (
          <>
            <ChoiceGroup
              legend="When the price"
              showLegend
              name="kind"
              options={kinds}
              value={kind}
              onChange={setKind}
            />
            <TextField
              // Remounts the field, since a price is no default for a percentage.
              key={isMove ? 'move' : 'price'}
              name="threshold"
              label={isMove ? 'Percent in a day, up or down' : getPriceLabel(security)}
              hint={met ? `${met.state}: the alert ${met.firing}.` : getHint(security, kind)}
              error={getProblem('threshold')}
              inputMode="decimal"
              autoComplete="off"
              defaultValue={isMove ? moveText : priceText}
              onChange={(event) => (isMove ? setMoveText : setPriceText)(event.target.value)}
              onFocus={(event) => event.currentTarget.select()}
            />
            <ChoiceGroup
              legend="How often"
              showLegend
              name="repeats"
              options={repeatChoices}
              value={repeats}
              onChange={setRepeats}
            />
            <TextField name="note" label="Note (optional)" maxLength={MAX_NOTE_LENGTH} autoComplete="off" />
            <FormActions submitLabel="Set alert" pending={pending} onCancel={onClose} />
          </>
        )}
      </Form>
    </div>
  );
}

const getPriceLabel = ({ currency, price_unit: unit }: AlertSecurity): string => {
  if (unit === 'percent_of_par') return 'Price in percent of par';
  return currency === null ? 'Price' : `Price in ${currency}`;
};

function getHint(security: AlertSecurity, kind: Alert['kind']): string {
  if (kind === 'move') return 'Compared with the close of the day before.';
  return security.price === null ? 'No price known yet.' : `Last price ${formatPrice(security.price, security)}.`;
}

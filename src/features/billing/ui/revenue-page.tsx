import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { createRevenueApi, type RevenueApi, type DateRange, InvalidTokenError } from './revenue-api.ts';
import { RevenueFigures } from './revenue-figures.tsx';

/** Shows `/operator/revenue` to the holder of the operator's token. The token is kept only in the page's memory. */
export default function RevenuePage() {
  const [access, setAccess] = useState<{ api: RevenueApi; revenue: RevenueResponse }>();
  return (
    <div className="mx-auto grid max-w-settings grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-title font-semibold tracking-tight">Revenue</h1>
        {access && <Button onClick={() => setAccess(undefined)}>Sign out</Button>}
      </div>
      {access ? <Report {...access} /> : <TokenForm onOpen={(api, revenue) => setAccess({ api, revenue })} />}
    </div>
  );
}

const ALL_DAYS: DateRange = { from: '', to: '' };

/** Returns the error text of a rejected token, or undefined for other errors. */
function getTokenError(error: unknown): string | undefined {
  if (error instanceof InvalidTokenError) return 'This token is not valid.';
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'NOT_FOUND') return 'This deployment has no revenue report: REVENUE_OPERATOR_TOKEN is not set.';
  return error.status === 429 ? error.message : undefined;
}

function TokenForm({ onOpen }: { onOpen: (api: RevenueApi, revenue: RevenueResponse) => void }) {
  const [token, setToken] = useState('');
  const [pending, setPending] = useState(false);
  const [tokenError, setTokenError] = useState<string>();
  const [loadError, setLoadError] = useState<unknown>();

  async function openReport(): Promise<void> {
    setLoadError(undefined);
    const trimmedToken = token.trim();
    if (!/^[0-9a-f]{64}$/i.test(trimmedToken)) {
      setTokenError(trimmedToken === '' ? 'Enter the token.' : 'The token has 64 hexadecimal characters.');
      return;
    }
    setTokenError(undefined);
    setPending(true);
    try {
      const api = createRevenueApi(trimmedToken);
      onOpen(api, await api.read(ALL_DAYS));
    } catch (error) {
      const message = getTokenError(error);
      setTokenError(message);
      if (message === undefined) setLoadError(error);
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      noValidate
      aria-label="Open the revenue report"
      className="card grid max-w-prose gap-4 p-5 sm:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void openReport();
      }}
    >
      <p className="text-ink-soft">
        Recurring and net revenue by source, and the conversion funnel. Totals only, no members.
      </p>
      <TextField
        name="token"
        type="password"
        label="Operator’s token"
        hint="REVENUE_OPERATOR_TOKEN of this deployment. It is kept only on this page until you leave it."
        autoComplete="current-password"
        error={tokenError ?? null}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      {loadError !== undefined && (
        <ErrorMessage
          error={loadError}
          retry={() => {
            void openReport();
          }}
        />
      )}
      <Button type="submit" variant="primary" className="justify-self-start" pending={pending}>
        Show the report
      </Button>
    </form>
  );
}

function Report({ api, revenue: initialRevenue }: { api: RevenueApi; revenue: RevenueResponse }) {
  const [report, setReport] = useState({ range: ALL_DAYS, revenue: initialRevenue });
  const [range, setRange] = useState(ALL_DAYS);
  const [pending, setPending] = useState(false);
  const [loadError, setLoadError] = useState<unknown>();
  const isReversed = range.from !== '' && range.to !== '' && range.from > range.to;

  async function loadReport(): Promise<void> {
    if (isReversed) return;
    setPending(true);
    setLoadError(undefined);
    try {
      setReport({ range, revenue: await api.read(range) });
    } catch (error) {
      setLoadError(error);
    } finally {
      setPending(false);
    }
  }
  const download = (file: RevenueFile): void => {
    void api
      .download(file, report.range)
      .catch((error: Error) => showErrorToast('Could not save the file.', error, () => download(file)));
  };

  return (
    <>
      <form
        noValidate
        aria-label="Days"
        className="grid items-end gap-3 sm:grid-cols-[10rem_10rem_auto_1fr]"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void loadReport();
        }}
      >
        <DayField name="from" label="From" value={range.from} onChange={(from) => setRange({ ...range, from })} />
        <DayField name="to" label="To" value={range.to} onChange={(to) => setRange({ ...range, to })} />
        <Button type="submit" pending={pending} className="sm:min-h-10">
          Show period
        </Button>
      </form>
      <p role="status" className="text-small text-ink-soft">
        {isReversed ? 'The first day is after the last.' : describeRange(report.range)}
        {' Days and months are in UTC. Currencies are never combined.'}
      </p>
      {loadError !== undefined && (
        <ErrorMessage
          error={loadError}
          retry={() => {
            void loadReport();
          }}
        />
      )}
      <RevenueFigures revenue={report.revenue} onDownload={download} />
    </>
  );
}

const describeRange = ({ from, to }: DateRange): string =>
  from || to ? `Shown${from && ` from ${from}`}${to && ` to ${to}`}.` : 'All days are shown.';

interface DayFieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (day: string) => void;
}

const DayField = ({ onChange, ...field }: DayFieldProps) => (
  <TextField {...field} type="date" onChange={(event) => onChange(event.target.value)} />
);

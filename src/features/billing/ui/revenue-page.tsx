import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { createRevenueApi, type RevenueApi, type Span, WrongToken } from './revenue-api.ts';
import { RevenueFigures } from './revenue-figures.tsx';

/** `/operator/revenue`: revenue, for the holder of the operator's token, which is kept in the page's memory alone. */
export default function RevenuePage() {
  const [opened, setOpened] = useState<{ api: RevenueApi; revenue: RevenueResponse }>();
  return (
    <div className="mx-auto grid max-w-settings grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-title font-semibold tracking-tight">Revenue</h1>
        {opened && <Button onClick={() => setOpened(undefined)}>Forget the token</Button>}
      </div>
      {opened ? <Report {...opened} /> : <TokenForm onOpen={(api, revenue) => setOpened({ api, revenue })} />}
    </div>
  );
}

const ALL: Span = { from: '', to: '' };

/** What a refusal means to somebody who has just entered the token; other faults have words of their own. */
function wordsOf(error: unknown): string | undefined {
  if (error instanceof WrongToken) return 'This is not the token of this deployment.';
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'NOT_FOUND') return 'This deployment has no revenue report: REVENUE_OPERATOR_TOKEN is not set.';
  return error.status === 429 ? error.message : undefined;
}

function TokenForm({ onOpen }: { onOpen: (api: RevenueApi, revenue: RevenueResponse) => void }) {
  const [token, setToken] = useState('');
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [fault, setFault] = useState<unknown>();

  async function open(): Promise<void> {
    setFault(undefined);
    const given = token.trim();
    if (!/^[0-9a-f]{64}$/i.test(given)) {
      setRefused(given === '' ? 'Enter the token.' : 'The token has 64 hexadecimal characters.');
      return;
    }
    setRefused(undefined);
    setPending(true);
    try {
      const api = createRevenueApi(given);
      onOpen(api, await api.read(ALL));
    } catch (error) {
      const words = wordsOf(error);
      setRefused(words);
      if (words === undefined) setFault(error);
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
        if (!pending) void open();
      }}
    >
      <p className="text-ink-soft">
        Recurring and net revenue, where they were begun, and the way there: in sums alone, without any member.
      </p>
      <TextField
        name="token"
        type="password"
        label="Operator’s token"
        hint="REVENUE_OPERATOR_TOKEN of this deployment. It is kept on this page alone, until you leave it."
        autoComplete="current-password"
        error={refused ?? null}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      {fault !== undefined && <Failure error={fault} retry={() => void open()} />}
      <Button type="submit" look="primary" className="justify-self-start" pending={pending}>
        Show the report
      </Button>
    </form>
  );
}

function Report({ api, revenue: first }: { api: RevenueApi; revenue: RevenueResponse }) {
  const [shown, setShown] = useState({ span: ALL, revenue: first });
  const [span, setSpan] = useState(ALL);
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const isReversed = span.from !== '' && span.to !== '' && span.from > span.to;

  async function show(): Promise<void> {
    if (isReversed) return;
    setPending(true);
    setFault(undefined);
    try {
      setShown({ span, revenue: await api.read(span) });
    } catch (error) {
      setFault(error);
    } finally {
      setPending(false);
    }
  }
  const download = (file: RevenueFile): void =>
    void api
      .download(file, shown.span)
      .catch((error: Error) => showErrorToast('The file was not saved.', error, () => download(file)));

  return (
    <>
      <form
        noValidate
        aria-label="Days"
        className="grid items-end gap-3 sm:grid-cols-[10rem_10rem_auto_1fr]"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void show();
        }}
      >
        <DayField name="from" label="From" value={span.from} onChange={(from) => setSpan({ ...span, from })} />
        <DayField name="to" label="To" value={span.to} onChange={(to) => setSpan({ ...span, to })} />
        <Button type="submit" pending={pending} className="sm:min-h-10">
          Show these days
        </Button>
      </form>
      <p role="status" className="text-small text-ink-soft">
        {isReversed ? 'The first day is after the last.' : shownDays(shown.span)}
        {' Days and months are of UTC; currencies are never added up.'}
      </p>
      {fault !== undefined && <Failure error={fault} retry={() => void show()} />}
      <RevenueFigures revenue={shown.revenue} onDownload={download} />
    </>
  );
}

const shownDays = ({ from, to }: Span): string =>
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

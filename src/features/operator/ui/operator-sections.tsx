import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { FieldError, TextField } from '../../../ui/kit/text-field.tsx';
import type { Flags } from '../contract.ts';
import { ActionButton } from './action-button.tsx';
import { operatorApi } from './operator-api.ts';
import { PlainTable } from './plain-table.tsx';
import { useLoad } from './use-load.ts';

interface SectionProps<T> {
  title: string;
  loaded: { data: T | undefined; error: unknown; reload(): void };
  children(data: T): ReactNode;
}

function Section<T>({ title, loaded, children }: SectionProps<T>) {
  const { data, error, reload } = loaded;
  return (
    <Card title={title}>
      {error !== undefined && <ErrorMessage error={error} retry={reload} />}
      {data === undefined && error === undefined && <Skeleton lines={3} label={`Loading ${title.toLowerCase()}`} />}
      {data !== undefined && children(data)}
    </Card>
  );
}

const STATE_NAMES = { ok: 'OK', warning: 'Warning', wrong: 'Wrong', unavailable: 'Unavailable' } as const;

/** Shows an instant in UTC to the minute, as the commands do. */
const formatTime = (time: string | null): string => (time === null ? '–' : time.slice(0, 16).replace('T', ' '));

/** Shows the version and the result of each check. */
export function HealthSection() {
  const loaded = useLoad(operatorApi.getInstallation);
  return (
    <Section title="Health" loaded={loaded}>
      {({ version, findings }) => (
        <div className="grid gap-4">
          <p className="text-ink-soft">
            Tally {version}. CHANGELOG.md of this version lists what changed. Times are in UTC.
          </p>
          <PlainTable
            caption="Checks of this installation"
            columns={['Check', 'State', 'Result']}
            emptyText="No checks."
            rows={findings.map(({ name, state, message }) => ({
              key: name,
              cells: [
                name,
                <span key="state" className={state === 'ok' ? 'text-ink-soft' : 'font-medium text-loss'}>
                  {STATE_NAMES[state]}
                </span>,
                <span key="message" className="block min-w-60 wrap-anywhere">
                  {message}
                </span>,
              ],
            }))}
          />
          <Button className="justify-self-start" onClick={loaded.reload}>
            Check again
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Shows failed and overdue jobs. */
export function JobsSection() {
  const loaded = useLoad(operatorApi.listJobs);
  return (
    <Section title="Queue" loaded={loaded}>
      {({ jobs }) => (
        <PlainTable
          caption="Failed and overdue jobs"
          columns={['Job', 'Task', 'State', 'Attempts', 'Due', 'Last error', 'Action']}
          emptyText="No job has failed or is overdue."
          rows={jobs.map((job) => ({
            key: job.id,
            cells: [
              job.id,
              job.task,
              job.state === 'failed' ? 'Failed' : 'Overdue',
              `${job.attempts} of ${job.max_attempts}`,
              <span key="due" className="whitespace-nowrap">
                {formatTime(job.run_at)}
              </span>,
              <span key="error" className="block min-w-60 wrap-anywhere">
                {job.last_error?.split('\n')[0] ?? '–'}
              </span>,
              <ActionButton
                key="retry"
                label="Retry"
                subject={`job ${job.id}`}
                action={() => operatorApi.retryJob(job.id)}
                onDone={loaded.reload}
              />,
            ],
          }))}
        />
      )}
    </Section>
  );
}

const RESERVED_NAMES = { demo: 'Demo account', sample: 'Sample user' } as const;

/** Finds and deletes members. */
export function MembersSection() {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const after = pages.at(-1)!;
  const loaded = useLoad(() => operatorApi.listMembers(search, after), `${search} ${after}`);
  return (
    <Section title="Members" loaded={loaded}>
      {({ members, next }) => (
        <div className="grid gap-4">
          <form
            role="search"
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setPages([null]);
              setSearch(typed.trim());
            }}
          >
            <TextField
              name="member-search"
              label="Id, or part of an address"
              autoComplete="off"
              maxLength={320}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit">Find</Button>
          </form>
          <PlainTable
            caption="Members"
            columns={['Address', 'Id', 'Tier', 'Sessions', 'Since', 'Action']}
            emptyText="There are no such members."
            rows={members.map((member) => ({
              key: member.idp_id,
              cells: [
                member.email ?? '–',
                <span key="id" className="block min-w-40 wrap-anywhere">
                  {member.idp_id}
                </span>,
                member.tier,
                member.sessions ?? '–',
                <span key="since" className="whitespace-nowrap">
                  {formatTime(member.created_at)}
                </span>,
                member.reserved === null ? (
                  <ActionButton
                    key="delete"
                    label="Delete"
                    subject={member.email ?? member.idp_id}
                    question="The account and every row of the member are deleted at once. A subscription ends. This cannot be undone."
                    action={() => operatorApi.deleteMember(member.idp_id)}
                    onDone={loaded.reload}
                  />
                ) : (
                  RESERVED_NAMES[member.reserved]
                ),
              ],
            }))}
          />
          <div className="flex flex-wrap gap-2">
            {pages.length > 1 && <Button onClick={() => setPages(pages.slice(0, -1))}>Newer members</Button>}
            {next !== null && <Button onClick={() => setPages([...pages, next])}>Older members</Button>}
          </div>
        </div>
      )}
    </Section>
  );
}

/** Shows active API keys and revokes them. */
export function KeysSection() {
  const loaded = useLoad(operatorApi.listKeys);
  return (
    <Section title="API keys" loaded={loaded}>
      {({ keys }) => (
        <PlainTable
          caption="Active API keys"
          columns={['Name', 'Ends in', 'Organization', 'Tier', 'Created', 'Last used', 'Action']}
          emptyText="There are no keys."
          rows={keys.map((key) => ({
            key: key.id,
            cells: [
              key.name,
              `…${key.hint}`,
              <span key="organisation" className="block min-w-40 wrap-anywhere">
                {key.organisation}
              </span>,
              key.usage_tier,
              <span key="created" className="whitespace-nowrap">
                {formatTime(key.created_at)}
              </span>,
              <span key="used" className="whitespace-nowrap">
                {formatTime(key.last_used_at)}
              </span>,
              <ActionButton
                key="revoke"
                label="Revoke"
                subject={`key ${key.name} …${key.hint}`}
                question="Programs with this key are rejected within seconds. This cannot be undone."
                action={() => operatorApi.revokeKey(key.id)}
                onDone={loaded.reload}
              />,
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** Shows rollout flags and changes their shares. */
export function FlagsSection() {
  const loaded = useLoad(operatorApi.listFlags);
  return (
    <Section title="Flags" loaded={loaded}>
      {({ flags }) =>
        flags.length === 0 ? (
          <p className="text-ink-soft">There are no flags.</p>
        ) : (
          <ul className="grid gap-4">
            {flags.map((flag) => (
              <li key={flag.flag}>
                <FlagForm flag={flag} onDone={loaded.reload} />
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  );
}

function FlagForm({ flag, onDone }: { flag: Flags['flags'][number]; onDone: () => void }) {
  const [typed, setTyped] = useState(String(flag.percentage));
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(): Promise<void> {
    if (!/^(\d{1,2}|100)$/.test(typed)) {
      setFailure('Enter a whole number from 0 to 100.');
      return;
    }
    setPending(true);
    setFailure(undefined);
    try {
      await operatorApi.setFlag(flag.flag, Number(typed));
      onDone();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      noValidate
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void save();
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          name={`flag-${flag.flag}`}
          label={`${flag.flag}, percent of members`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" pending={isPending} aria-label={`Save ${flag.flag}`}>
          Save
        </Button>
      </div>
      {failure !== undefined && <FieldError text={failure} />}
      <p className="text-small text-ink-faint">
        {flag.percentage} % now, and {flag.members} {flag.members === 1 ? 'member' : 'members'} with an own setting.
      </p>
    </form>
  );
}

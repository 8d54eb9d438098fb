import { useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { UpdateNotes } from '../contract.ts';
import { ActionButton } from './action-button.tsx';
import { operatorApi } from './operator-api.ts';
import { formatTime, LongText, OperatorTable, Section, WholeText } from './section.tsx';
import { useLoad } from './use-load.ts';

const STATE_NAMES = { ok: 'OK', warning: 'Warning', wrong: 'Wrong', unavailable: 'Unavailable' } as const;

/** Shows the version and the result of each check. */
export function HealthSection() {
  const loaded = useLoad(operatorApi.getInstallation);
  return (
    <Section title="Health" loaded={loaded}>
      {({ version, has_revenue: hasRevenue, findings }) => (
        <div className="grid gap-4">
          <p className="text-ink-soft">
            Tally {version}. Times are in UTC.
            {hasRevenue && (
              <>
                {' '}
                <Link className="link" href="/operator/revenue">
                  Revenue
                </Link>{' '}
                has a token of its own.
              </>
            )}
          </p>
          <UpdateNotesList />
          <OperatorTable
            caption="Checks of this installation"
            columns={['Check', 'State', 'Result']}
            emptyText="No checks."
            rows={findings.map(({ name, state, message }) => ({
              key: name,
              cells: [
                <WholeText key="name">{name}</WholeText>,
                <span key="state" className={state === 'ok' ? 'text-ink-soft' : 'font-medium text-loss'}>
                  {STATE_NAMES[state]}
                </span>,
                <LongText key="message">{message}</LongText>,
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

/** Shows what changed in this version, once it is opened. */
function UpdateNotesList() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link w-fit cursor-pointer">What changed in this version</summary>
      {isOpen && <LoadedUpdateNotes />}
    </details>
  );
}

function LoadedUpdateNotes() {
  const { data, error, reload } = useLoad(operatorApi.getUpdateNotes);
  if (error !== undefined) return <ErrorMessage error={error} retry={reload} />;
  if (data === undefined) return <Skeleton lines={3} label="Loading update notes" />;
  if (data.groups.length === 0) return <p className="mt-3 text-ink-soft">This installation has no CHANGELOG.md.</p>;
  return data.groups.map(({ name, entries }) => <UpdateGroup key={name} name={name} entries={entries} />);
}

const UpdateGroup = ({ name, entries }: UpdateNotes['groups'][number]) => (
  <section className="mt-4">
    <h3 className="font-semibold">{name}</h3>
    <ul className="mt-1 grid list-disc gap-1 ps-5 text-small">
      {entries.map((entry) => (
        <li key={entry} className="wrap-anywhere">
          {renderEntry(entry)}
        </li>
      ))}
    </ul>
  </section>
);

/** Shows the code of an entry as code. Every second part stands between backticks. */
const renderEntry = (entry: string) =>
  entry.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

/** Shows failed and overdue jobs. */
export function JobsSection() {
  const loaded = useLoad(operatorApi.listJobs);
  return (
    <Section title="Queue" loaded={loaded}>
      {({ jobs }) => (
        <OperatorTable
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
              <WholeText key="due">{formatTime(job.run_at)}</WholeText>,
              <LongText key="error">{job.last_error?.split('\n')[0] ?? '–'}</LongText>,
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
          <OperatorTable
            caption="Members"
            columns={['Address', 'Id', 'Tier', 'Sessions', 'Since', 'Action']}
            emptyText="There are no such members."
            rows={members.map((member) => ({
              key: member.idp_id,
              cells: [
                <LongText key="address">{member.email ?? '–'}</LongText>,
                <LongText key="id">{member.idp_id}</LongText>,
                member.tier,
                member.sessions ?? '–',
                <WholeText key="since">{formatTime(member.created_at)}</WholeText>,
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
        <OperatorTable
          caption="Active API keys"
          columns={['Name', 'Ends in', 'Organization', 'Tier', 'Created', 'Last used', 'Action']}
          emptyText="There are no keys."
          rows={keys.map((key) => ({
            key: key.id,
            cells: [
              <LongText key="name">{key.name}</LongText>,
              `…${key.hint}`,
              <LongText key="organisation">{key.organisation}</LongText>,
              key.usage_tier,
              <WholeText key="created">{formatTime(key.created_at)}</WholeText>,
              <WholeText key="used">{formatTime(key.last_used_at)}</WholeText>,
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

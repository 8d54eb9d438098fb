import { useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { guardInput } from '../../../ui/kit/guard-input.ts';
import { FieldError, TextField } from '../../../ui/kit/text-field.tsx';
import type { Flags } from '../contract.ts';
import { ActionButton } from './action-button.tsx';
import { operatorApi } from './operator-api.ts';
import { LongText, OperatorTable, Section } from './section.tsx';
import { useLoad } from './use-load.ts';

type Flag = Flags['flags'][number];

/** Shows rollout flags, and turns them on and off for a share of members or for single ones. */
export function FlagsSection() {
  const loaded = useLoad(operatorApi.listFlags);
  return (
    <Section title="Flags" loaded={loaded}>
      {({ flags }) =>
        flags.length === 0 ? (
          <p className="text-ink-soft">There are no flags.</p>
        ) : (
          <ul className="grid gap-6">
            {flags.map((flag) => (
              <li key={flag.flag} className="grid gap-4 border-t border-line pt-4 first:border-t-0 first:pt-0">
                <FlagSettings flag={flag} onDone={loaded.reload} />
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  );
}

interface FlagProps {
  flag: Flag;
  onDone: () => void;
}

function FlagSettings({ flag, onDone }: FlagProps) {
  const { flag: name, percentage } = flag;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{name}</span>
          <span className="block text-small text-ink-soft">{describeShare(percentage)}</span>
        </h3>
        <div className="flex gap-2">
          {percentage < 100 && (
            <ActionButton
              label="Turn on"
              subject={name}
              action={() => operatorApi.setFlag(name, 100)}
              onDone={onDone}
            />
          )}
          {percentage > 0 && (
            <ActionButton
              label="Turn off"
              subject={name}
              question="It is off within seconds for every member without a setting of their own."
              action={() => operatorApi.setFlag(name, 0)}
              onDone={onDone}
            />
          )}
        </div>
      </div>
      <ShareForm flag={flag} onDone={onDone} />
      <MemberForm flag={flag} onDone={onDone} />
      <FlagMembers flag={flag} onDone={onDone} />
    </>
  );
}

function describeShare(percentage: number): string {
  if (percentage === 0) return 'Off for all members';
  return percentage === 100 ? 'On for all members' : `On for ${percentage}\u00A0% of members`;
}

/** Runs an action of a form, and returns its state with the reason of a failure. */
function useAction(onDone: () => void) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function run(action: () => Promise<unknown>): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      await action();
      onDone();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setPending(false);
    }
  }
  return { isPending, failure, setFailure, run };
}

function ShareForm({ flag: { flag, percentage }, onDone }: FlagProps) {
  const [typed, setTyped] = useState(String(percentage));
  const { isPending, failure, setFailure, run } = useAction(onDone);
  return (
    <form
      ref={guardInput}
      noValidate
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!/^(\d{1,2}|100)$/.test(typed)) setFailure('Enter a whole number from 0 to 100.');
        else if (!isPending) void run(() => operatorApi.setFlag(flag, Number(typed)));
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          name={`flag-${flag}`}
          label="Percent of members"
          aria-label={`${flag}, percent of members`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" pending={isPending} aria-label={`Save ${flag}`}>
          Save
        </Button>
      </div>
      {failure !== undefined && <FieldError text={failure} />}
    </form>
  );
}

function MemberForm({ flag: { flag }, onDone }: FlagProps) {
  const [typed, setTyped] = useState('');
  const done = (): void => {
    setTyped('');
    onDone();
  };
  const { isPending, failure, setFailure, run } = useAction(done);
  const set = (enabled: boolean): void => {
    const member = typed.trim();
    if (member === '') setFailure('Enter the id or the address of a member.');
    else if (!isPending) void run(() => operatorApi.setFlagMember(flag, member, enabled));
  };
  return (
    <form
      ref={guardInput}
      noValidate
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        set(true);
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          name={`flag-member-${flag}`}
          label="One member, by id or address"
          aria-label={`${flag}, one member by id or address`}
          autoComplete="off"
          maxLength={320}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" pending={isPending} aria-label={`Turn on ${flag} for this member`}>
          On
        </Button>
        <Button aria-label={`Turn off ${flag} for this member`} onClick={() => set(false)}>
          Off
        </Button>
      </div>
      {failure !== undefined && <FieldError text={failure} />}
    </form>
  );
}

function FlagMembers({ flag: { flag, on_for: on, off_for: off }, onDone }: FlagProps) {
  const rows = [...on.ids.map((id) => ({ id, state: 'On' })), ...off.ids.map((id) => ({ id, state: 'Off' }))];
  const hiddenCount = on.count + off.count - rows.length;
  if (rows.length === 0) return null;
  return (
    <>
      <OperatorTable
        caption={`Members with a setting of ${flag}`}
        columns={['Member', 'State', 'Action']}
        emptyText=""
        rows={rows.map(({ id, state }) => ({
          key: id,
          cells: [
            <LongText key="id">{id}</LongText>,
            state,
            <ActionButton
              key="clear"
              label="Clear"
              subject={`${flag} for ${id}`}
              action={() => operatorApi.setFlagMember(flag, id, null)}
              onDone={onDone}
            />,
          ],
        }))}
      />
      {hiddenCount > 0 && (
        <p className="text-small text-ink-soft">
          {hiddenCount} more {hiddenCount === 1 ? 'is' : 'are'} listed by “tally flags list”.
        </p>
      )}
    </>
  );
}

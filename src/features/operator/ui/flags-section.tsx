import { useRef, useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { Form } from '../../../ui/kit/form.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { guardInput } from '../../../ui/kit/guard-input.ts';
import { TextField } from '../../../ui/kit/text-field.tsx';
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

/** Runs an action of a form. Returns why it failed, as the problem of a field. */
async function attempt(field: string, action: () => Promise<unknown>): Promise<readonly FormProblem[]> {
  try {
    await action();
    return [];
  } catch (error) {
    return [{ field, message: (error as Error).message }];
  }
}

function ShareForm({ flag: { flag, percentage }, onDone }: FlagProps) {
  const [typed, setTyped] = useState({ text: String(percentage), percentage });
  // A button may have set another percentage. A new form instead would lose the focus.
  if (typed.percentage !== percentage) setTyped({ text: String(percentage), percentage });
  const name = `flag-${flag}`;
  async function send(): Promise<readonly FormProblem[]> {
    const { text } = typed;
    if (!/^(\d{1,2}|100)$/.test(text)) return [{ field: name, message: 'Enter a whole number from 0 to 100.' }];
    const problems = await attempt(name, () => operatorApi.setFlag(flag, Number(text)));
    if (problems.length === 0) onDone();
    return problems;
  }
  return (
    <Form errorTitle={`Could not save ${flag}`} formRef={guardInput} className="gap-3" send={send}>
      {({ pending, getProblem }) => (
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            name={name}
            label="Percent of members"
            aria-label={`${flag}, percent of members`}
            inputMode="numeric"
            autoComplete="off"
            value={typed.text}
            onChange={({ target }) => setTyped({ text: target.value, percentage })}
            error={getProblem(name)}
          />
          <Button type="submit" pending={pending} aria-label={`Save ${flag}`}>
            Save
          </Button>
        </div>
      )}
    </Form>
  );
}

function MemberForm({ flag: { flag }, onDone }: FlagProps) {
  // The pressed button. Enter presses the first one.
  const turnsOn = useRef(true);
  const name = `flag-member-${flag}`;
  async function send(data: FormData, form: HTMLFormElement): Promise<readonly FormProblem[]> {
    const member = getFieldText(data, name).trim();
    if (member === '') return [{ field: name, message: 'Enter the id or the address of a member.' }];
    const problems = await attempt(name, () => operatorApi.setFlagMember(flag, member, turnsOn.current));
    if (problems.length > 0) return problems;
    form.reset();
    onDone();
    return [];
  }
  return (
    <Form errorTitle={`Could not set ${flag} for this member`} formRef={guardInput} className="gap-3" send={send}>
      {({ pending, getProblem }) => (
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            name={name}
            label="One member, by id or address"
            aria-label={`${flag}, one member by id or address`}
            autoComplete="off"
            maxLength={320}
            error={getProblem(name)}
          />
          <Button
            type="submit"
            pending={pending}
            aria-label={`Turn on ${flag} for this member`}
            onClick={() => {
              turnsOn.current = true;
            }}
          >
            On
          </Button>
          <Button
            type="submit"
            pending={pending}
            aria-label={`Turn off ${flag} for this member`}
            onClick={() => {
              turnsOn.current = false;
            }}
          >
            Off
          </Button>
        </div>
      )}
    </Form>
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

import { useState } from 'react';
import { ChoiceGroup } from '../../kit/choice-group.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { FormErrors } from '../../kit/form-errors.tsx';
import { Form } from '../../kit/form.tsx';
import { SearchInput } from '../../kit/search-input.tsx';
import { SelectMenu } from '../../kit/select-menu.tsx';
import { TextArea } from '../../kit/text-area.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { LONG_TEXT, Sample, Samples } from './sample.tsx';

const CHOICES = [
  { id: 'USD', label: 'USD' },
  { id: 'EUR', label: 'EUR' },
] as const;
const CURRENCIES = { USD: 'USD', EUR: 'EUR', GBP: 'GBP, with a long name' };

/** Shows fields and form errors. `prefix` makes ids unique. */
export function FormSamples({ prefix }: { prefix: string }) {
  const [currency, setCurrency] = useState<keyof typeof CURRENCIES>('USD');
  return (
    <>
      <Samples title="Text field and text area">
        <TextField name={`${prefix}-empty`} label="Empty" placeholder="Brokerage" />
        <TextField name={`${prefix}-hint`} label="With a hint" hint="At least 8 characters." defaultValue="1,250.50" />
        <TextField
          name={`${prefix}-error`}
          label="With an error"
          error="Enter a number, such as 12.5."
          defaultValue="x"
        />
        <TextField
          name={`${prefix}-long`}
          label={LONG_TEXT}
          hint={LONG_TEXT}
          error={LONG_TEXT}
          defaultValue={LONG_TEXT}
        />
        <TextField name={`${prefix}-secret`} label="Password" type="password" defaultValue="password" />
        <TextField name={`${prefix}-readonly`} label="Read-only" readOnly defaultValue="user_2abc" />
        <TextField name={`${prefix}-disabled`} label="Disabled" disabled defaultValue="12.5" />
        <TextArea name={`${prefix}-area`} label="Text area" rows={3} defaultValue={LONG_TEXT} />
      </Samples>
      <Samples title="Select field">
        {[null, LONG_TEXT].map((error) => (
          <SelectField
            key={error}
            name={`${prefix}-select${error === null ? '' : '-error'}`}
            label="Account"
            error={error}
          >
            <option>Brokerage</option>
            <option>{LONG_TEXT}</option>
          </SelectField>
        ))}
      </Samples>
      <Samples title="Search input">
        <SearchInput type="search" aria-label="Search for a security" placeholder="Symbol or name" />
        <SearchInput type="search" aria-label="Disabled search" disabled defaultValue={LONG_TEXT} />
      </Samples>
      <Samples title="Select menu">
        <div className="gallery-row">
          {[false, true].map((isBusy) => (
            <SelectMenu
              key={String(isBusy)}
              label={isBusy ? 'Currency, being saved' : 'Currency'}
              value={currency}
              options={CURRENCIES}
              onChange={setCurrency}
              isBusy={isBusy}
              className="border border-line"
              selectClassName="min-h-8 ps-2"
            />
          ))}
        </div>
      </Samples>
      <Samples title="Choice group">
        <Sample state="with a choice and a visible legend">
          <ChoiceGroup
            legend="Currency"
            showLegend
            name={`${prefix}-choice`}
            options={CHOICES}
            value={currency}
            onChange={setCurrency}
          />
        </Sample>
        <Sample state="without a choice">
          <ChoiceGroup
            legend="Currency"
            name={`${prefix}-no-choice`}
            options={CHOICES}
            value={null}
            onChange={setCurrency}
          />
        </Sample>
      </Samples>
      <Samples title="Form">
        <Form
          errorTitle="The form was not sent"
          send={async () => [{ field: `${prefix}-form`, message: 'Enter a name.' }]}
        >
          {({ pending, getProblem }) => (
            <>
              <TextField name={`${prefix}-form`} label="Name" error={getProblem(`${prefix}-form`)} />
              <FormActions submitLabel="Send" pending={pending} onCancel={() => {}} />
            </>
          )}
        </Form>
      </Samples>
      <Samples title="Form errors">
        <Sample state="with fields and a long text">
          <FormErrors
            title="The account was not saved"
            problems={[
              { field: `${prefix}-error`, message: 'Enter a number, such as 12.5.' },
              { field: null, message: LONG_TEXT },
            ]}
          />
        </Sample>
      </Samples>
    </>
  );
}

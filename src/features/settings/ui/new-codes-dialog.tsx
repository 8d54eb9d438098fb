import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { decode, fields, list, text } from '../../../ui/shell/session/decode.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { accountFactorsQuery } from '../../../ui/shell/reauthentication/account-factors.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const decodeCodes = fields({ response: fields({ codes: list(text) }) });

/** Dialog that replaces the recovery codes and shows the new ones. */
export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function replaceCodes(): Promise<readonly FormProblem[]> {
    const result = await callFrontendApi('POST', '/v1/me/backup_codes');
    if (!result.ok) return toFormProblems(result.problems);
    await queries.invalidateQueries(accountFactorsQuery);
    setCodes(decode(decodeCodes, result.body)?.response.codes ?? []);
    return [];
  }

  if (codes)
    return (
      <Dialog key="codes" title="New recovery codes">
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  return (
    <ReauthenticationDialog
      title="Create new recovery codes?"
      introduction={<p>The codes that you have now stop working.</p>}
      errorTitle="Could not create codes"
      submitLabel="Create codes"
      makeChange={replaceCodes}
      onClose={onClose}
    />
  );
}

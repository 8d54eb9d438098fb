import { showToast } from '../../../ui/kit/toasts.ts';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { CopyButton } from '../../../ui/kit/copy-button.tsx';
import { QrCode } from '../../../ui/kit/qr-code.tsx';

/**
 * Shows the link with actions to copy, share or scan it. Without the device's own share sheet it is shared by e-mail.
 */
export function ReferralLinkCard({ url }: { url: string }) {
  return (
    <div className="flex flex-wrap items-start gap-x-8 gap-y-5">
      <div className="grid min-w-0 flex-1 basis-72 gap-3">
        <p className="max-w-prose text-ink-soft">
          Send this link to friends. Sign-ups are counted below. A referral is completed when your friend connects a
          first account. You will not see who they are.
        </p>
        <div className="flex items-center gap-1 rounded-control border border-line bg-raised py-1 ps-3 pe-1">
          <code className="min-w-0 flex-1 break-all font-mono text-small select-all">{url}</code>
          <CopyButton text={url} label="Copy your link" />
        </div>
        <div>
          {'share' in navigator ? (
            <Button
              variant="primary"
              onClick={() => {
                void share(url);
              }}
            >
              Share your link
            </Button>
          ) : (
            <a className={getButtonClass('primary')} href={toMailtoUrl(url)}>
              Share by email
            </a>
          )}
        </div>
      </div>
      <figure className="grid justify-items-center gap-1.5">
        <QrCode text={url} label="QR code of your link" />
        <figcaption className="text-small text-ink-faint">Scan to sign up</figcaption>
      </figure>
    </div>
  );
}

/** Returns a mailto URL with the link at the end of its text, so that no punctuation becomes part of the link. */
const toMailtoUrl = (url: string): string =>
  `mailto:?subject=${encodeURIComponent('Join me on Tally')}` +
  `&body=${encodeURIComponent(`I use Tally to follow my accounts and investments. Join with my link: ${url}`)}`;

async function share(url: string): Promise<void> {
  try {
    await navigator.share({ title: 'Tally', url });
  } catch (error) {
    // Closing the device's own sheet is not an error.
    if ((error as Error).name !== 'AbortError')
      showToast('Your device did not allow sharing. Copy the link instead.', 'bad');
  }
}

import { ApiKeys } from '../../../features/token-api/ui/api-keys.tsx';
import { Queries } from '../api/queries.tsx';
import { Link } from '../navigation/link.tsx';

/** Renders `/settings/api-keys`: the member's API keys for token counting, one of the developers' pages. */
export default function ApiKeysPage() {
  return (
    <div className="mx-auto grid max-w-settings gap-5">
      <div>
        <Link href="/developers" className="link text-small">
          Developers
        </Link>
        <h1 className="mt-1 text-title font-semibold tracking-tight">API keys</h1>
      </div>
      <Queries>
        <ApiKeys />
      </Queries>
    </div>
  );
}

import { type ComponentType, useMemo, useState } from 'react';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { lazyErrorProps } from '../../../ui/shell/loading/lazy-error-props.ts';
import { LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { formatNewYorkDay } from '../../../ui/kit/new-york-time.ts';
import { privacyMode } from '../../../ui/shell/session/privacy-mode.ts';
import { PrivacyToggle } from '../../../ui/shell/session/privacy-toggle.tsx';
import { useIsSampleUser } from '../../../ui/shell/session/sample-user.ts';
import { useDividends } from '../dividends/ui/dividends-query.ts';
import { IncomeSection } from '../dividends/ui/income-section.tsx';
import { usePortfolioHoldings } from '../holdings/ui/holdings-queries.ts';
import { WaysToAdd } from '../dashboard/ui/ways-to-add.tsx';
import { lazyAddInvestment } from '../dashboard/ui/lazy-components.ts';
import { ImportHoldings } from '../import/ui/import-holdings.tsx';
import { lazyAccountsDialog } from '../accounts/ui/lazy-accounts-dialog.ts';
import { DownloadMenu } from '../net-worth/ui/download-menu.tsx';
import { LoadedPortfolio } from '../holdings/ui/page/loaded-portfolio.tsx';
import { PortfolioSkeleton } from '../holdings/ui/page/portfolio-skeleton.tsx';
import { SampleBadge } from '../../../ui/shell/layout/sample-badge.tsx';

export interface PortfolioPageProps {
  /** Dialog that connects an account. */
  ConnectDialog: ComponentType<{ onClose: () => void }>;
}

type DialogName = 'investment' | 'accounts' | 'connect';

/** Shows `/portfolio`: every holding of the member in the base currency. */
export function PortfolioPage({ ConnectDialog }: PortfolioPageProps) {
  const { data, error, isPending, refetch, dataUpdatedAt } = usePortfolioHoldings();
  const dividends = useDividends().data;
  const incomes = useMemo(() => new Map(dividends?.holdings.map(({ id, income }) => [id, income])), [dividends]);
  const privacy = useStore(privacyMode);
  const [openDialog, setOpenDialog] = useState<DialogName | null>(null);
  const close = (): void => setOpenDialog(null);
  const dialogProps = { ...lazyErrorProps, onClose: close };
  const renderContent = () => {
    if (data?.holdings.length === 0 && data.cash.length === 0)
      return <EmptyPortfolio onAdd={() => setOpenDialog('investment')} onConnect={() => setOpenDialog('connect')} />;
    if (data)
      return (
        <div className="grid grid-cols-1 gap-4">
          <LoadedPortfolio
            portfolio={data}
            today={formatNewYorkDay(new Date(dataUpdatedAt))}
            privacy={privacy}
            incomes={incomes}
          />
          {dividends && <IncomeSection dividends={dividends} privacy={privacy} />}
        </div>
      );
    if (isPending) return <PortfolioSkeleton />;
    return (
      <ErrorMessage
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  };
  return (
    <>
      <PageHeader hasSampleData={data?.sample_data === true} privacy={privacy} onOpen={setOpenDialog} />
      {openDialog === 'investment' && (
        <LazyComponent component={lazyAddInvestment} props={{ preset: null, onClose: close }} {...dialogProps} />
      )}
      {openDialog === 'accounts' && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect: () => setOpenDialog('connect'), onClose: close }}
          {...dialogProps}
        />
      )}
      {openDialog === 'connect' && <ConnectDialog onClose={close} />}
      <p role="status" className="sr-only">
        {isPending && 'Loading your holdings'}
      </p>
      {renderContent()}
    </>
  );
}

interface PageHeaderProps {
  hasSampleData: boolean;
  privacy: boolean;
  onOpen: (dialog: DialogName) => void;
}

function PageHeader({ hasSampleData, privacy, onOpen }: PageHeaderProps) {
  const isReadOnly = useIsSampleUser();
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1.5 sm:mb-6">
      <div className="flex flex-1 flex-wrap items-center gap-x-3">
        <h1 className="text-title font-semibold tracking-tight">Portfolio</h1>
        {hasSampleData && (
          <span className="flex max-sm:hidden">
            <SampleBadge />
          </span>
        )}
      </div>
      <PrivacyToggle />
      {/* Phones have room for icons only. */}
      {!isReadOnly && (
        <ImportHoldings
          privacy={privacy}
          title="Import"
          refreshesAtOnce
          className={getButtonClass('quiet', 'max-sm:w-9 max-sm:px-0 sm:px-3')}
        >
          <span className="sm:hidden">
            <Icon name="import" />
          </span>
          <span className="max-sm:sr-only">Import</span>
        </ImportHoldings>
      )}
      <Button
        variant="quiet"
        className="max-sm:w-9 max-sm:px-0 sm:px-3"
        {...lazyAccountsDialog.preloadProps}
        onClick={() => onOpen('accounts')}
      >
        <span className="sm:hidden">
          <Icon name="bank" />
        </span>
        <span className="max-sm:sr-only">Accounts</span>
      </Button>
      {!isReadOnly && (
        <Button
          className="max-sm:w-9 max-sm:px-0"
          {...lazyAddInvestment.preloadProps}
          onClick={() => onOpen('investment')}
        >
          <Icon name="plus" />
          <span className="max-sm:sr-only">Add investment</span>
        </Button>
      )}
      <DownloadMenu file="GET /api/investments/holdings/export.csv" label="More for the portfolio" />
    </div>
  );
}

interface EmptyPortfolioProps {
  onAdd: () => void;
  onConnect: () => void;
}

const EmptyPortfolio = ({ onAdd, onConnect }: EmptyPortfolioProps) => (
  <section className="card px-2 py-3 sm:px-3 sm:py-4">
    <h2 className="px-2 text-lead font-semibold tracking-tight">No holdings yet</h2>
    <p className="px-2 text-ink-soft">Their value and gain appear here.</p>
    <WaysToAdd onConnect={onConnect} onAddInvestment={onAdd} />
  </section>
);

/** Figure of one or several holdings. */
export type HoldingFigure = 'value' | 'change' | 'gain';

/** What a holding figure is about. */
export type HoldingTarget =
  /** Holdings of one symbol over all accounts. */
  | { of: 'position'; symbol: string }
  /** One holding. `name` is its name on screen. */
  | { of: 'holding'; id: string; name: string }
  /** All holdings in one currency. */
  | { of: 'totals'; currency: string }
  /** Holdings of one account in one currency. `name` is the account's. */
  | { of: 'account'; id: string; currency: string; name: string }
  /** Holdings of one symbol in one account. `name` is the account's. */
  | { of: 'position-part'; symbol: string; accountId: string; name: string }
  /** Any holdings, in the base currency. `name` is that of the whole. */
  | { of: 'selection'; ids: readonly string[]; name: string };

export type ChangePart = 'gain' | 'market' | 'flows' | 'exchange_rates';

type WithFigure<Target> = Target extends unknown ? Target & { figure: HoldingFigure } : never;

/** A figure that the API explains. */
export type ExplainedFigure = AnyFigure & {
  /** Amount on screen, if it was rounded so that several amounts add up. */
  shown?: number | null | undefined;
};

type AnyFigure =
  | WithFigure<HoldingTarget>
  /** Share of any holdings in the whole portfolio, in the base currency. */
  | { of: 'share'; ids: readonly string[]; name: string }
  | { of: 'cash'; id: string; name: string }
  /** Cash and holdings of one account in the base currency. */
  | { of: 'account-value'; id: string; name: string }
  /** Net worth in the base currency, or a part of it. */
  | { of: 'net-worth'; part: 'total' | 'cash' | 'liabilities' | 'investments' }
  /** Change of net worth in the base currency, or a part of it. `name` is the period's on screen. */
  | { of: 'net-worth-change'; part: ChangePart; period: string; name: string }
  /** Dividend income of today's holdings in the base currency. */
  | { of: 'dividends'; period: '90_days' | '12_months' }
  /** Net worth in one currency, before conversion. */
  | { of: 'currency'; currency: string };

const holdingFigureNames: Readonly<Record<HoldingFigure, string>> = {
  value: 'Value',
  change: 'Day change',
  gain: 'Gain',
};

const netWorthPartNames = { total: 'Net worth', cash: 'Cash', liabilities: 'Liabilities', investments: 'Investments' };

const changePartNames: Readonly<Record<ChangePart, string>> = {
  gain: 'Gain of net worth',
  market: 'Market change',
  flows: 'Added or withdrawn',
  exchange_rates: 'Currency change',
};

/** Returns the name of a figure, such as "Day change of AAPL". */
export function formatFigureName(figure: ExplainedFigure): string {
  switch (figure.of) {
    case 'position':
      return `${holdingFigureNames[figure.figure]} of ${figure.symbol}`;
    case 'holding':
    case 'selection':
      return `${holdingFigureNames[figure.figure]} of ${figure.name}`;
    case 'totals':
      return `${holdingFigureNames[figure.figure]} of holdings in ${figure.currency}`;
    case 'account':
      return `${holdingFigureNames[figure.figure]} of ${figure.currency} holdings in ${figure.name}`;
    case 'position-part':
      return `${holdingFigureNames[figure.figure]} of ${figure.symbol} in ${figure.name}`;
    case 'share':
      return `Weight of ${figure.name}`;
    case 'cash':
      return `Cash in ${figure.name}`;
    case 'account-value':
      return `Value of ${figure.name}`;
    case 'net-worth-change':
      return `${changePartNames[figure.part]}, ${figure.name}`;
    case 'net-worth':
      return netWorthPartNames[figure.part];
    case 'dividends':
      return `Dividend income, next ${figure.period.replace('_', ' ')}`;
    case 'currency':
      return `Net worth in ${figure.currency}`;
  }
}

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
  | { of: 'account'; id: string; currency: string; name: string };

type WithFigure<Target> = Target extends unknown ? Target & { figure: HoldingFigure } : never;

/** A figure that the API explains. */
export type ExplainedFigure =
  | WithFigure<HoldingTarget>
  | { of: 'weight'; symbol: string }
  | { of: 'cash'; id: string; name: string }
  /** Net worth in the base currency, or a part of it. */
  | { of: 'net-worth'; part: 'total' | 'cash' | 'investments' }
  /** Net worth in one currency, before conversion. */
  | { of: 'currency'; currency: string };

const holdingFigureNames: Readonly<Record<HoldingFigure, string>> = {
  value: 'Value',
  change: 'Day change',
  gain: 'Gain',
};

const netWorthPartNames = { total: 'Net worth', cash: 'Cash', investments: 'Investments' };

/** Returns the name of a figure, such as "Day change of AAPL". */
export function formatFigureName(figure: ExplainedFigure): string {
  switch (figure.of) {
    case 'position':
      return `${holdingFigureNames[figure.figure]} of ${figure.symbol}`;
    case 'holding':
      return `${holdingFigureNames[figure.figure]} of ${figure.name}`;
    case 'totals':
      return `${holdingFigureNames[figure.figure]} of holdings in ${figure.currency}`;
    case 'account':
      return `${holdingFigureNames[figure.figure]} of ${figure.currency} holdings in ${figure.name}`;
    case 'weight':
      return `Weight of ${figure.symbol}`;
    case 'cash':
      return `Cash in ${figure.name}`;
    case 'net-worth':
      return netWorthPartNames[figure.part];
    case 'currency':
      return `Net worth in ${figure.currency}`;
  }
}

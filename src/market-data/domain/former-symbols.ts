/** Abandoned symbols of companies, each with the current symbol. */
const SUCCESSOR_BY_SYMBOL: Readonly<Record<string, string>> = {
  ABC: 'COR',
  ABX: 'B',
  ADS: 'BFH',
  ANTM: 'ELV',
  BLL: 'BALL',
  CDAY: 'DAY',
  COG: 'CTRA',
  COH: 'TPR',
  CTL: 'LUMN',
  DISCA: 'WBD',
  FB: 'META',
  FBHS: 'FBIN',
  FLT: 'CPAY',
  GPS: 'GAP',
  KORS: 'CPRI',
  NLOK: 'GEN',
  PCLN: 'BKNG',
  PEAK: 'DOC',
  PKI: 'RVTY',
  'RDS.A': 'SHEL',
  'RDS.B': 'SHEL',
  SNE: 'SONY',
  SQ: 'XYZ',
  SYMC: 'GEN',
  TOT: 'TTE',
  UTX: 'RTX',
  WLTW: 'WTW',
};

/** Returns the current symbol of a company that abandoned this one, otherwise undefined. */
export const findSuccessorSymbol = (symbol: string): string | undefined =>
  Object.hasOwn(SUCCESSOR_BY_SYMBOL, symbol) ? SUCCESSOR_BY_SYMBOL[symbol] : undefined;

/** Common names of companies that differ from the official name, without spaces as in `joinedName`. */
const SYMBOLS_BY_ALIAS: Readonly<Record<string, readonly string[]>> = {
  facebook: ['META'],
  instagram: ['META'],
  whatsapp: ['META'],
  google: ['GOOGL', 'GOOG'],
  youtube: ['GOOGL', 'GOOG'],
  microstrategy: ['MSTR'],
  nasdaq100: ['QQQ', 'QQQM'],
  raytheon: ['RTX'],
  schlumberger: ['SLB'],
  snapchat: ['SNAP'],
  sp500: ['VOO', 'SPY', 'IVV'],
  tsmc: ['TSM'],
};

/** Returns symbols of the companies and funds with this common name, likeliest first. */
export const getSymbolsByAlias = (joinedName: string): readonly string[] =>
  Object.hasOwn(SYMBOLS_BY_ALIAS, joinedName) ? SYMBOLS_BY_ALIAS[joinedName]! : [];

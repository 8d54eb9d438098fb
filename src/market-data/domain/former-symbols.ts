/** Symbols that companies gave up, with the one that they trade under now. */
const RENAMED: Readonly<Record<string, string>> = {
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

/** The symbol that a company changed this one to; `undefined` where it is none that was given up. */
export const successorOf = (symbol: string): string | undefined =>
  Object.hasOwn(RENAMED, symbol) ? RENAMED[symbol] : undefined;

/** Names that people know a company by and that its own name does not hold, as `joinedName` writes them. */
const KNOWN_AS: Readonly<Record<string, readonly string[]>> = {
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

/** Symbols of the companies and funds that are known by a name, likeliest first. */
export const symbolsKnownAs = (joined: string): readonly string[] =>
  Object.hasOwn(KNOWN_AS, joined) ? KNOWN_AS[joined]! : [];

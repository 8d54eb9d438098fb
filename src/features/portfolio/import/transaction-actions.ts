import type { TransactionKind } from './contract.ts';

/** What a transaction does. `trade`: the sign of its quantity says whether it is a purchase or a sale. */
export type TransactionAction = 'buy' | 'sell' | 'split' | 'reinvestment' | 'trade' | TransactionKind;

/**
 * Words of brokers in their languages, the first match wins: a withheld tax of a dividend is a tax, and `Verkauf`
 * contains `kauf`.
 */
const ACTION_WORDS: readonly (readonly [TransactionAction, RegExp])[] = [
  ['other', /cancel|storno|reject|expired|annul|name change|symbol change/],
  // The name of a security may follow, such as that of a dividend fund.
  ['sell', /^(?:you )?(?:sell|sold|verkauf)\b/],
  ['buy', /^(?:you )?(?:buy|bought|kauf)\b/],
  ['split', /split|consolidation of shares|aktienzusammenlegung|^sp[lr]$/],
  ['reinvestment', /re-?invest|\bdrip\b|wiederanlage|thesaurier/],
  ['tax', /\btax\b|\btaxes\b|withh|steuer|impôt|impuesto|imposta|belasting|skatt|podatek|\bnra\b|précompte/],
  [
    'dividend',
    /divid|dywidend|utdelning|udbytte|utbytte|ausschüttung|\bdistribution|ertr[aä]g|capital gain|return of capital|\b[cq]?div\b/,
  ],
  ['interest', /interest|zins|intérêt|interés|interess|\brente\b|ränta|coupon|kupon|odsetki|^int$/],
  [
    'sell',
    /\bsell\b|\bsold\b|\bsale\b|verkauf|\bvente\b|\bventa\b|vendita|\bvenda\b|verkoop|\bsälj|\bsål[td]|\bsalg\b|\bselg|\bsprzeda|redemption|rücknahme|position closed|^(?:s|sld|stc|v)$/,
  ],
  [
    'buy',
    /\bbuy\b|\bbought\b|purchase|kauf|\bachat\b|\bcompra\b|acquisto|aankoop|\bkoop\b|\bköp|\bkjøp|\bkøb|kupno|zakup|subscription|souscription|zeichnung|open position|sparplan|savings? plan|free share|share award|stock plan activity|\bvest|\bespp\b|^(?:b|k|bot|bto)$/,
  ],
  ['exchange', /\bfx\b|forex|exchange|conver[st]|devisen|\bchange\b|valutaväxling/],
  [
    'withdrawal',
    /withdraw|auszahlung|entnahme|retrait|\bopname\b|retirada|prelievo|\buttag|wypłata|payout|disburse|paid out/,
  ],
  [
    'deposit',
    /deposit|top[- ]?up|einzahlung|einlage|contribution|\bdépôt\b|versement|storting|ingreso|versamento|insättning|innskudd|wpłata|paid in|payment|funding|^ach$/,
  ],
  [
    'fee',
    /\bfees?\b|commission|gebühr|\bfrais\b|kosten|spesen|charge|avgift|gebyr|comisi|opłata|custody|subscription fee/,
  ],
  [
    'transfer',
    /transfer|journal|\bacats?\b|lieferung|übertrag|umbuchung|virement|overboeking|\bdelivery\b|holding$|moneylink|\beft\b|money ?movement|funds transfer|\bwire\b|^acati?$/,
  ],
  [
    'other',
    /merger|spin-?off|exercise|assign|adjust|rights|lending|\bloan\b|stak|reward|bonus|corporate action|kapitalmaßnahme|misc|sweep|\bcash\b/,
  ],
  ['trade', /\btrades?\b|execut|ausführung|wertpapier|\border\b|\bfill|handel|exchtrade/],
];

/** Returns what a text such as `BUY - MARKET` or `Dividende` does, or undefined if it is no action. */
export function findAction(text: string): TransactionAction | undefined {
  const key = text.toLowerCase().replaceAll('_', ' ').trim();
  return key === '' ? undefined : ACTION_WORDS.find(([, words]) => words.test(key))?.[0];
}

import type { ColumnRole } from './contract.ts';
import { findCurrency } from './parse-amount.ts';

/** Text of a header in plain form: `Book Value (CAD)` has the name `book value` and the unit `CAD`. */
export interface HeaderCell {
  /** Text as it stands in the file, for messages. */
  text: string;
  name: string;
  /** Currency, minor unit or `$` of the amounts below, or null if the header does not say it. */
  unit: string | null;
}

/**
 * Names of columns in the languages of brokers, the best one first. A file often has several columns of one meaning,
 * such as the book value in two currencies. Names are in plain form: lower case, without units and punctuation.
 */
const COLUMN_NAMES: Readonly<Partial<Record<ColumnRole, string>>> = {
  symbol:
    'symbol|ticker|ticker symbol|stock symbol|security symbol|equity symbol|instrument symbol|symbol code|epic|tidm|' +
    'symbool|symbole|símbolo|simbolo|símbolo bolsa|kürzel|tickersymbol|mnemo|mnemonic|börsenkürzel|tradingsymbol|' +
    'instrument code|security code|stock code|asx code|code',
  identifier:
    'isin|isin code|code isin|código isin|codice isin|isin nummer|isin nr|isin/wkn|wkn/isin|symbol/isin|symbool/isin|' +
    'symbole/isin|símbolo/isin|simbolo/isin|ticker/isin|isin/cusip|security id|cusip|cusip no|wkn|sedol|valor|' +
    'valorennummer|valoren',
  name:
    'security name|security description|asset name|investment name|instrument name|stock name|company name|equity description|' +
    'wertpapiername|wertpapierbezeichnung|wertpapier|bezeichnung|nombre del valor|name|description|company|naam|nom|' +
    'nome|värdepapper/beskrivning|title|libellé|libelle|beschreibung|descripción|denominazione|värdepapper|verdipapir|værdipapir|nazwa|' +
    'titolo|valeur|details|product|produkt|produit|producto|prodotto|produto|instrument|asset|security|investment|holding|stock|fund',
  quantity:
    'quantity|qty|qty quantity|units held|shares|units|no of shares|number of shares|no of units|number of units|' +
    'share quantity|filled qty|filled quantity|filled|executed quantity|avail units|available units|position|' +
    'aantal|anzahl|stück|stk|stück/nom|stück/nominale|stück/nominalwert|nominal/stück|stückzahl|nominale|nominal|menge|' +
    'bestand|nombre|quantité|qté|qte|cantidad|títulos|titulos|quantità|quantita|quantidade|antal|antall|ilość|liczba|' +
    'volume|trade quantity|quantity available|units/nominal|holding quantity|quantity/amount|amount/units|nombre de titres|nominaal|nominal/aantal|nominal stk|stück/nominal|quantity transacted|total qty',
  cost:
    'book value market|total client investment|cost basis total|total cost basis|total cost|cost basis money|' +
    'cost basis|cost value|book cost|book value|total book cost|purchase value|purchase amount|amount invested|' +
    'invested amount|total invested|invested|investment cost|cost|kaufwert|einstandswert|anschaffungswert|' +
    'anschaffungskosten|einstand|prix de revient total|montant investi|valor de compra|coste total|costo totale|' +
    'controvalore di carico|aankoopwaarde|anskaffningsvärde|inköpsvärde|anskaffelsesverdi|anskaffelsesværdi',
  unit_cost:
    'average cost basis|average cost|avg cost|average price|avg price|avg unit cost|average unit cost|average buy price|' +
    'cost basis per share|cost/share|cost per share|cost per unit|cost price|cost basis price|purchase price|unit cost|' +
    'price paid|avg entry price|entry price|open price|open rate|average entry price|average book cost|' +
    'einstandskurs|einstandspreis|kaufkurs|kaufpreis|ø kaufkurs|durchschnittskurs|gak|pru|prix de revient|' +
    'prix de revient unitaire|prix moyen|precio medio|precio de compra|prezzo medio|prezzo di carico|' +
    'prezzo medio di carico|gemiddelde aankoopprijs|gak prijs|inköpskurs|gav|snittkurs|gjennomsnittskurs|average|buying price|p zo medio di carico',
  price:
    'price per share|price/share|share price|unit price|trade price|execution price|executed price|' +
    'avg filled price|fill price|t price|dealing price|price|last price|market price|current price|close price|closing price|' +
    'closing|previous closing price|asset price|p zo di mercato|last|mark price|last traded price|ltp|rate|kurs|preis|ausführungskurs|akt kurs|aktueller kurs|marktkurs|' +
    'schlusskurs|schlußkurs|kurs/preis|slotkoers|koers|cours|cours de clôture|cours unitaire|precio|precio unitario|' +
    'precio cierre|cotización|prezzo|prezzo di mercato|preço|pris|cena|kurz',
  value:
    'mkt val market value|market value|mkt value|current value|present value|total value|position value|valuation|value|' +
    'local value|lokale waarde|wert in lokalwährung|valeur locale|valor local|valore locale|marktwert|kurswert|' +
    'aktueller wert|gegenwert|wert|waarde|valeur|valorisation|montant|valor|valor de mercado|valore|controvalore|' +
    'marknadsvärde|markedsverdi|markedsværdi|wartość|cur val|curr value|equity',
  currency:
    'currency|ccy|transaktionsvaluta|currency primary|currency code|trade currency|buchungswährung|währung|transaktionswährung|' +
    'devise|moneda|divisa|valuta|moeda|waluta|curr|money currency|instrument currency',
  account: 'account|account name|portfolio|portfolio name|depot|konto|compte|cuenta|conto|rekening|rachunek',
  account_number:
    'account number|account no|account nr|account id|client account id|depotnummer|kontonummer|depot nr|konto nr|' +
    'numéro de compte|rekeningnummer|numero conto',
  exchange:
    'mic|mic code|market code|exchange code|listing exch|listing exchange|exchange|market|börse|börsenplatz|handelsplatz|beurs|' +
    'reference exchange|bolsa|bolsa de|place|place de cotation|mercato|mercado|venue|execution venue',
  asset_type:
    'asset type|security type|asset class|asset category|instrument type|product type|wertpapiertyp|anlageklasse|' +
    'wertpapierart|type of security|asset',
  date:
    'trade date|trade date/time|trade time|transaction date|transaction time|transaction time cet|execution date|executed at|execution time|' +
    'date of trade|deal date|dealing date|date/time|date time|date acquired|acquired|acquisition date|purchase date|' +
    'open date|open time|opened|run date|activity date|process date|timestamp|filled time|time|date|' +
    'ausführungsdatum|handelsdatum|handelstag|schlusstag|kaufdatum|buchungsdatum|buchungstag|buchtag|datum|' +
    "date d'opération|date opération|date operation|date de l'opération|transactiedatum|fecha|fecha operación|data|" +
    'data operazione|data operacji|affärsdag|handelsdag|date created|created at|settlement date|settle date|valuta datum',
  action:
    'action|activity type|transaction type|trade type|trade action|order type side|side|buy/sell|b/s|buy or sell|' +
    'trans code|transaction code|activity|trans type|order side|direction|transaktionstyp|transaktionsart|' +
    'umsatzart|geschäftsart|orderart|vorgang|transaktion|transactietype|sens|opération|operation|operación|' +
    'tipo de operación|tipo operación|operazione|tipo operazione|transaktionstyp|transaksjonstype|typ av transaktion|' +
    'transaction|kind|aktion|order|event|details type|activity sub type|buchungsinformation|buchungsinformationen',
  amount:
    'net amount|net cash amount|net amt|net cash|net proceeds|net value|net total|total amount|total including fees|total|totaal|betrag netto|' +
    'nettobetrag|endbetrag|ausmachender betrag|total value|settlement amount|settlement value|net settlement|' +
    'net consideration|net transaction value|cash amount|amount|amount net|belopp|total cost/proceeds|booked amount|' +
    'montant net|montant total|importe neto|importe total|importe|importo netto|importo|betrag|belopp|beløp|kwota|' +
    'gross amount|bruttobetrag|gross|gross value|gross proceeds|proceeds|principal amount|principal|trade value|' +
    'consideration|montant brut|importe bruto|importo lordo|importo euro|trade amount|cash flow',
  debit: 'debit|debit amount|money out|paid out|soll|débit|debe|dare',
  credit: 'credit|credit amount|money in|paid in|haben|crédit|haber|avere',
  fee:
    'fee|fees|costs|total avgift|exchange fee|fees & comm|fees & commissions|fees and commissions|commission|commissions|commissions and fees|comm/fee|' +
    'comm|commission/fee|ibcommission|ib commission|brokerage|brokerage gst|brokerage inc gst|charges|total charges|' +
    'transaction fee|transaction fees|transaction cost|transaction costs|transaction and/or third|' +
    'transactiekosten|transactiekosten en/of|transactiekosten en/of kosten van derden|stamp duty|' +
    'stamp duty reserve tax|ptm levy|currency conversion fee|fx fee|finra fee|french transaction tax|taxes|tax|tax amt|' +
    'gebühr|gebühren|provision|kosten|spesen|fremde spesen|steuern|steuer|orderentgelt|transaktionskosten|frais|courtage|' +
    'comisión|comisiones|comision|gastos|commissioni|commissione|avgift|avgifter|kurtasje|kurtage|prowizja|opłata',
};

/** Names whose columns hold an action in one file and a kind of security in another. Their cells decide. */
const TYPE_NAMES: ReadonlySet<string> = new Set(
  'type|typ|tipo|art|soort|typen|type description|operation type|category|transaction category'.split('|'),
);

/** Names of amounts that contain the fees of a trade, and of those that do not. */
const NET_NAME = /\bnet|netto|\btotal|\btotaal|endbetrag|ausmachend|\bneto\b|including fees|settlement/;
const GROSS_NAME = /gross|brutto|bruto|lordo|\bbrut\b|proceeds|principal|consideration|kurswert|trade value/;

interface KnownName {
  role: ColumnRole;
  /** Place in the list of the role. The smallest one wins. */
  rank: number;
}

const knownNames: ReadonlyMap<string, readonly KnownName[]> = listKnownNames();

function listKnownNames(): Map<string, KnownName[]> {
  const known = new Map<string, KnownName[]>();
  for (const [role, names] of Object.entries(COLUMN_NAMES))
    for (const [rank, name] of names.split('|').entries())
      known.set(name, [...(known.get(name) ?? []), { role: role as ColumnRole, rank }]);
  return known;
}

/** Returns the meanings that a column of this name can have. */
export const findRoles = ({ name }: HeaderCell): readonly KnownName[] => knownNames.get(name) ?? [];

/** Returns whether the cells of the column decide between an action and a kind of security. */
export const isTypeName = ({ name }: HeaderCell): boolean => TYPE_NAMES.has(name);

/** Returns whether an amount contains the fees of a trade, or null if its name does not say it. */
export function includesFees({ name }: HeaderCell): boolean | null {
  if (GROSS_NAME.test(name)) return NET_NAME.test(name.replace(GROSS_NAME, ''));
  return NET_NAME.test(name) || null;
}

/** Longer texts are no header of a column. */
const MAX_NAME_LENGTH = 60;

const UNIT_SIGNS: Readonly<Record<string, string>> = { $: '$', '€': 'EUR', '£': 'GBP', pence: 'GBX', p: 'GBX' };
const CURRENCY_WORD = /(?:^| )(?:currency|ccy|währung|waehrung|devise|moneda|divisa|valuta|moeda|waluta)(?: |$)/;

/** Returns the unit of a text such as `CAD`, `€` or `pence`, or null. */
function toUnit(text: string): string | null {
  const plain = text.trim();
  const sign = plain.toLowerCase();
  if (Object.hasOwn(UNIT_SIGNS, sign)) return UNIT_SIGNS[sign]!;
  return /^(?:[A-Z]{3}|GBp)$/.test(plain) && findCurrency(plain) ? plain : null;
}

/** Splits the text of a header into its plain name and its unit. */
export function readHeaderCell(cell: string): HeaderCell {
  const text = cell
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s_]+/g, ' ')
    .trim();
  if (text.length > MAX_NAME_LENGTH) return { text, name: '', unit: null };
  let unit: string | null = null;
  const takeUnit = (whole: string, candidate: string): string => {
    const found = toUnit(candidate);
    if (found === null) return ` ${whole.replace(/[()[\]]/g, '')} `;
    unit ??= found;
    return ' ';
  };
  const name = text
    .replace(/[([]([^()[\]]*)[)\]]/g, takeUnit)
    .replace(/(?:^| )(?:in|en|em)? ?([A-Z]{3}|[$€£])(?= *$)/, takeUnit)
    .replace(/^([$€£])(?= )/, takeUnit)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('account #', 'account number')
    .replace(/[-.:#*"]+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, name: text.includes('%') ? '' : name, unit };
}

/** Returns the name of the column whose currency a column such as `Currency (Total)` holds, or null. */
export function findOwnerName({ name }: HeaderCell): string | null {
  if (!CURRENCY_WORD.test(name)) return null;
  return name.replace(CURRENCY_WORD, ' ').trim() || null;
}

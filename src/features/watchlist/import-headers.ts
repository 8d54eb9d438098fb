import { toPlainText } from '../../market-data/domain/normalize-symbol.ts';

/** Header names of a ticker column in files of banks, brokers and other programs, most reliable first. */
const TICKER_HEADERS = splitHeaders(`
  symbol|ticker|ticker symbol|stock symbol|security symbol|symbols|tickers|symbol/isin|ticker/symbol|
  symbol/ticker|stock ticker|trading symbol|stock code|security code|wertpapierkürzel|kürzel|tickersymbol|
  symbole|code mnémonique|mnémonique|mnémo|símbolo|simbolo|código de negociação|símbolo/isin|symbool|
  symbool/isin|kortnamn|kaupankäyntitunnus|sembol|тикер|символ|ティッカー|シンボル|銘柄コード|证券代码|股票代码|代码|證券代號|股票代號|代號|종목코드|
  티커|심볼`);
const ISIN_HEADERS = splitHeaders(
  `isin|isin code|isin-code|isin code/symbol|code isin|código isin|codice isin|cusip|isin/wkn|isinコード`,
);
/** Header names that can mean a ticker or a company name. */
const AMBIGUOUS_HEADERS = splitHeaders(`
  instrument|stock|stocks|security|securities|asset|investment|holding|holdings|etf|fund|share|aktie|
  wertpapier|action|titre|valeur|acción|accion|valor|titolo|strumento|ativo|papel|aandeel|effect|papper|
  värdepapper|verdipapir|акция|бумага|銘柄|股票|证券|종목`);
const NAME_HEADERS = splitHeaders(`
  name|company|company name|description|security name|product|bezeichnung|nom|libellé|nombre|descripción|nome|
  descrizione|descrição|naam|omschrijving|namn|beskrivning|nazwa|название|名称|銘柄名|公司名称|종목명`);
/** Other header names of a table. */
const OTHER_HEADERS = splitHeaders(`
  shares|quantity|qty|units|amount|price|last price|value|market value|cost|cost basis|average cost|avg cost|
  date|trade date|currency|account|exchange|market|type|action|sector|weight|notes|wkn|sedol|change|total|
  bought|anzahl|stück|menge|stückzahl|kurs|wert|betrag|währung|datum|kaufkurs|quantité|nombre de titres|cours|
  prix|montant|devise|cantidad|precio|importe|divisa|moneda|fecha|quantità|prezzo|importo|valuta|quantidade|
  preço|moeda|data|aantal|koers|bedrag|antal|ilość|kurs zakupu|количество|цена|валюта|数量|株数|価格|通貨|价格|数量|수량|가격`);

function splitHeaders(names: string): readonly string[] {
  return names.split('|').map((name) => name.trim());
}

const ALL_HEADERS = new Set([
  ...TICKER_HEADERS,
  ...ISIN_HEADERS,
  ...AMBIGUOUS_HEADERS,
  ...NAME_HEADERS,
  ...OTHER_HEADERS,
]);

/** Column numbers of a table: the ticker column, and the ISIN column for rows without a ticker. */
export interface Columns {
  symbol: number;
  isin: number;
}

/**
 * Returns the columns that a record names, or undefined if the record is no header. One reliable name makes a header.
 * An ambiguous name (`Stock`) and a table without tickers (`Name,Shares`) need a second column name.
 */
export function parseHeader(cells: readonly string[]): Columns | undefined {
  const names = cells.map((cell) =>
    toPlainText(cell)
      .toLowerCase()
      .replace(/[:.#*]+$/, '')
      .trim(),
  );
  const findColumn = (headerNames: readonly string[]): number => {
    const name = headerNames.find((candidate) => names.includes(candidate));
    return name === undefined ? -1 : names.indexOf(name);
  };
  const isin = findColumn(ISIN_HEADERS);
  const tickerColumn = findColumn(TICKER_HEADERS);
  if (tickerColumn !== -1) return { symbol: tickerColumn, isin };
  if (isin !== -1) return { symbol: isin, isin };
  const isTable = names.filter((name) => ALL_HEADERS.has(name)).length > 1;
  return isTable ? { symbol: findColumn([...AMBIGUOUS_HEADERS, ...NAME_HEADERS]), isin } : undefined;
}

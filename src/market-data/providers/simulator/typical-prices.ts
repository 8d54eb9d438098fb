/**
 * Where the walk of a well-known listing begins, so that sample prices are of the size that people know: symbol, price
 * in the declared unit, and for companies billions of shares. Rounded figures of no day in particular; others draw.
 */
const lines = `
AAPL 230 15.1
MSFT 430 7.4
NVDA 140 24.4
AMZN 200 10.5
GOOGL 175 12.2
GOOG 177 12.2
META 600 2.5
TSLA 300 3.2
AVGO 180 4.7
COST 900 0.44
NFLX 800 0.43
ADBE 450 0.44
AMD 140 1.6
PEP 160 1.37
CSCO 55 4
INTC 24 4.3
QCOM 160 1.1
TXN 190 0.91
AMGN 290 0.54
INTU 640 0.28
JPM 230 2.8
BAC 45 7.7
WFC 70 3.4
GS 580 0.32
MS 120 1.6
V 300 1.95
MA 510 0.92
JNJ 155 2.4
UNH 520 0.92
LLY 800 0.9
PFE 27 5.7
MRK 100 2.5
ABBV 180 1.77
KO 63 4.3
WMT 90 8
PG 170 2.35
HD 390 0.99
MCD 295 0.72
NKE 75 1.5
DIS 105 1.8
XOM 115 4.4
CVX 155 1.8
CAT 380 0.48
BA 160 0.75
GE 180 1.08
IBM 225 0.92
ORCL 175 2.8
CRM 310 0.96
T 23 7.2
VZ 41 4.2
BRK.B 460 2.16
SPY 580
VOO 535
IVV 585
VTI 285
QQQ 500
VT 120
BND 73
VTSAX 140
VFIAX 540
FXAIX 205
VTIAX 33
HSBA.L 720 17.9
VOD.L 72 25
`;

/** By symbol. */
export const typicalPrices: ReadonlyMap<string, { price: number; shares: number | undefined }> = new Map(
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [symbol = '', price, shares] = line.split(' ');
      return [symbol, { price: Number(price), shares: shares === undefined ? undefined : Number(shares) * 1e9 }];
    }),
);

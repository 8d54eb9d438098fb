import { toIsin } from '../../market-data/domain/bond-identifier.ts';

/** CUSIP or ISIN of listings that members often import by identifier. */
const identifiers = `
AAPL 037833100
MSFT 594918104
NVDA 67066G104
AMZN 023135106
GOOGL 02079K305
GOOG 02079K107
META 30303M102
TSLA 88160R101
BRK.A 084670108
BRK.B 084670702
JPM 46625H100
V 92826C839
MA 57636Q104
JNJ 478160104
WMT 931142103
PG 742718109
HD 437076102
XOM 30231G102
CVX 166764100
KO 191216100
PEP 713448108
MCD 580135101
DIS 254687106
NKE 654106103
CSCO 17275R102
INTC 458140100
ORCL 68389X105
ADBE 00724F101
CRM 79466L302
NFLX 64110L106
AMD 007903107
QCOM 747525103
TXN 882508104
IBM 459200101
BAC 060505104
WFC 949746101
C 172967424
GS 38141G104
PFE 717081103
MRK 58933Y105
ABBV 00287Y109
ABT 002824100
LLY 532457108
UNH 91324P102
T 00206R102
VZ 92343V104
BA 097023105
CAT 149123101
COST 22160K105
LOW 548661107
TGT 87612E106
SBUX 855244109
AVGO 11135F101
VOO 922908363
SPY 78462F103
QQQ 46090E103
VTI 922908769
IVV 464287200
SCHD 808524797
VOD.L GB00BH4HKS39
BP.L GB0007980591
HSBA.L GB0005405286
AZN.L GB0009895292
ULVR.L GB00B10RZP78
RR.L GB00B63H8491
VUSA.L IE00B3XXRP09
CSPX.L IE00B5BMR087`;

/** Net assets of large funds in billions of dollars, rounded. The figures belong to no particular day. */
const assets = `
VOO 700 SPY 640 IVV 620 VTI 500 QQQ 350 VTSAX 420 VFIAX 480 VUG 180 VTV 140 VEA 150 BND 130 VXUS 95 VIG 95 VWO 90
VO 80 VNQ 65 VB 65 VYM 65 BNDX 65 VCIT 52 VT 45 VGIT 36 BSV 36 VCSH 35 VTIAX 90 VBTLX 105 VWELX 110 VWIAX 50
VIGAX 110 VVIAX 40 VSMAX 55 VIMAX 70 VGSLX 20 VPMAX 65 VFIFX 85 VFORX 95 VTTSX 55 FXAIX 650 FSKAX 110 FCNTX 150
SWPPX 110 SCHD 70 IJH 95 IJR 85 IEMG 85 AGG 125 IWF 105 IWD 62 IWM 65 GLD 90 DIA 38 RSP 72 JEPI 40 AGTHX 300`;

const splitWords = (text: string): string[] => text.trim().split(/\s+/);
const parsePairs = (text: string): [symbol: string, fact: string][] =>
  splitWords(text).flatMap((symbol, index, all) => (index % 2 === 0 ? [[symbol, all[index + 1]!]] : []));

/** ISINs by symbol. Entries without a valid check digit are omitted. */
export const isins: ReadonlyMap<string, string> = new Map(
  parsePairs(identifiers).flatMap(([symbol, identifier]) => {
    const isin = toIsin(identifier);
    return isin === undefined ? [] : [[symbol, isin]];
  }),
);

/** Net assets in dollars, by symbol. */
export const fundAssets: ReadonlyMap<string, number> = new Map(
  parsePairs(assets).map(([symbol, billions]) => [symbol, Number(billions) * 1e9]),
);

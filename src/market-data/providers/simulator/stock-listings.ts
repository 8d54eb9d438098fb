/** Stocks by exchange and declared currency: symbol, then name. Facts only; every price is made up. */
export const stockListings: readonly { exchange: string; currency: string; lines: string }[] = [
  {
    exchange: 'NASDAQ',
    currency: 'USD',
    lines: `
AAPL Apple Inc.
MSFT Microsoft Corporation
NVDA NVIDIA Corporation
AMZN Amazon.com, Inc.
GOOGL Alphabet Inc. Class A
GOOG Alphabet Inc. Class C
META Meta Platforms, Inc.
TSLA Tesla, Inc.
AVGO Broadcom Inc.
COST Costco Wholesale Corporation
NFLX Netflix, Inc.
ADBE Adobe Inc.
AMD Advanced Micro Devices, Inc.
PEP PepsiCo, Inc.
CSCO Cisco Systems, Inc.
INTC Intel Corporation
QCOM QUALCOMM Incorporated
TXN Texas Instruments Incorporated
AMGN Amgen Inc.
INTU Intuit Inc.
AMAT Applied Materials, Inc.
BKNG Booking Holdings Inc.
ISRG Intuitive Surgical, Inc.
GILD Gilead Sciences, Inc.
ADP Automatic Data Processing, Inc.
VRTX Vertex Pharmaceuticals Incorporated
REGN Regeneron Pharmaceuticals, Inc.
MU Micron Technology, Inc.
LRCX Lam Research Corporation
KLAC KLA Corporation
PANW Palo Alto Networks, Inc.
SNPS Synopsys, Inc.
CDNS Cadence Design Systems, Inc.
MELI MercadoLibre, Inc.
ABNB Airbnb, Inc.
MAR Marriott International, Inc.
CRWD CrowdStrike Holdings, Inc.
FTNT Fortinet, Inc.
ORLY O'Reilly Automotive, Inc.
MNST Monster Beverage Corporation
MDLZ Mondelez International, Inc.
SBUX Starbucks Corporation
PYPL PayPal Holdings, Inc.
CMCSA Comcast Corporation
TMUS T-Mobile US, Inc.
HON Honeywell International Inc.
CTAS Cintas Corporation
PAYX Paychex, Inc.
ROST Ross Stores, Inc.
EA Electronic Arts Inc.
KDP Keurig Dr Pepper Inc.
EXC Exelon Corporation
XEL Xcel Energy Inc.
FAST Fastenal Company
ODFL Old Dominion Freight Line, Inc.
LULU Lululemon Athletica Inc.
DDOG Datadog, Inc.
ZS Zscaler, Inc.
TEAM Atlassian Corporation
WDAY Workday, Inc.
COIN Coinbase Global, Inc.
HOOD Robinhood Markets, Inc.
ARM Arm Holdings plc
ASML ASML Holding N.V.
DASH DoorDash, Inc.
MRVL Marvell Technology, Inc.
SMCI Super Micro Computer, Inc.
RIVN Rivian Automotive, Inc.
LCID Lucid Group, Inc.
ZM Zoom Communications, Inc.
ROKU Roku, Inc.
PLTR Palantir Technologies Inc.
APP AppLovin Corporation
MSTR Strategy Inc
WBD Warner Bros. Discovery, Inc.
ZXZZT NASDAQ Test Stock
ZVZZT`,
  },
  {
    exchange: 'NYSE',
    currency: 'USD',
    lines: `
BRK.A Berkshire Hathaway Inc. Class A
BRK.B Berkshire Hathaway Inc. Class B
BF.B Brown-Forman Corporation Class B
JPM JPMorgan Chase & Co.
V Visa Inc.
MA Mastercard Incorporated
WMT Walmart Inc.
XOM Exxon Mobil Corporation
CVX Chevron Corporation
JNJ Johnson & Johnson
LLY Eli Lilly and Company
UNH UnitedHealth Group Incorporated
PG The Procter & Gamble Company
HD The Home Depot, Inc.
KO The Coca-Cola Company
MCD McDonald's Corporation
DIS The Walt Disney Company
NKE NIKE, Inc.
CRM Salesforce, Inc.
ORCL Oracle Corporation
IBM International Business Machines Corporation
ACN Accenture plc
BAC Bank of America Corporation
WFC Wells Fargo & Company
C Citigroup Inc.
GS The Goldman Sachs Group, Inc.
MS Morgan Stanley
BLK BlackRock, Inc.
SCHW The Charles Schwab Corporation
AXP American Express Company
ABBV AbbVie Inc.
MRK Merck & Co., Inc.
PFE Pfizer Inc.
TMO Thermo Fisher Scientific Inc.
ABT Abbott Laboratories
DHR Danaher Corporation
BMY Bristol-Myers Squibb Company
MDT Medtronic plc
SYK Stryker Corporation
CVS CVS Health Corporation
CI The Cigna Group
ELV Elevance Health, Inc.
GE GE Aerospace
GEV GE Vernova Inc.
CAT Caterpillar Inc.
DE Deere & Company
BA The Boeing Company
LMT Lockheed Martin Corporation
RTX RTX Corporation
NOC Northrop Grumman Corporation
GD General Dynamics Corporation
MMM 3M Company
UPS United Parcel Service, Inc.
FDX FedEx Corporation
UNP Union Pacific Corporation
T AT&T Inc.
VZ Verizon Communications Inc.
NEE NextEra Energy, Inc.
DUK Duke Energy Corporation
SO The Southern Company
COP ConocoPhillips
SLB SLB Limited
EOG EOG Resources, Inc.
LIN Linde plc
SHW The Sherwin-Williams Company
FCX Freeport-McMoRan Inc.
NEM Newmont Corporation
LOW Lowe's Companies, Inc.
TGT Target Corporation
TJX The TJX Companies, Inc.
F Ford Motor Company
GM General Motors Company
UBER Uber Technologies, Inc.
SPOT Spotify Technology S.A.
SHOP Shopify Inc.
NOW ServiceNow, Inc.
SNOW Snowflake Inc.
NET Cloudflare, Inc.
RBLX Roblox Corporation
PINS Pinterest, Inc.
SNAP Snap Inc.
MO Altria Group, Inc.
PM Philip Morris International Inc.
CL Colgate-Palmolive Company
SPGI S&P Global Inc.
MCO Moody's Corporation
CB Chubb Limited
PLD Prologis, Inc.
AMT American Tower Corporation
O Realty Income Corporation
TSM Taiwan Semiconductor Manufacturing Company Limited
BABA Alibaba Group Holding Limited
NVO Novo Nordisk A/S
SONY Sony Group Corporation
TM Toyota Motor Corporation`,
  },
  {
    exchange: 'LSE',
    currency: 'GBp',
    lines: `
VOD.L Vodafone Group Public Limited Company
BP.L BP p.l.c.
HSBA.L HSBC Holdings plc
AZN.L AstraZeneca PLC
ULVR.L Unilever PLC
RR.L Rolls-Royce Holdings plc`,
  },
  { exchange: 'JSE', currency: 'ZAc', lines: `NPN.JO Naspers Limited` },
  { exchange: 'TASE', currency: 'ILA', lines: `TEVA.TA Teva Pharmaceutical Industries Limited` },
];
